// The JSON Schemas of what the gateway answers: made of the types that its routes answer by.
import { definitionsOf, onlyUsed } from './definitions-of.mjs';

/** A definition for each answer, by the name that routes give it, and for all that they are made of. */
export function apiSchema() {
  const { Answers: answers, ...shared } = definitionsOf('src/gateway/answers.ts', 'Answers');
  // An answer that is a type of its own name is there already.
  const named = Object.fromEntries(
    Object.entries(answers.properties).filter(([name, schema]) => schema.$ref !== `#/definitions/${name}`),
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'What the Holdfast gateway answers',
    definitions: plainNames({ ...onlyUsed([answers], shared), ...named }),
  };
}

/** A generic type's name has brackets, which a component of an OpenAPI document may not have. */
function plainNames(definitions) {
  const plain = (name) =>
    decodeURIComponent(name)
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/_$/, '');
  const text = JSON.stringify(definitions).replace(
    /"#\/definitions\/([^"]+)"/g,
    (_, name) => `"#/definitions/${plain(name)}"`,
  );
  return Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, schema]) => [plain(name), schema]));
}
