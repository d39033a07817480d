/** How a person names a model, wherever one is missing. */
export const howToNameModels =
  'set OPENAI_API_KEY, ANTHROPIC_API_KEY, or HOLDFAST_MODEL with HOLDFAST_MODEL_BASE_URL (and HOLDFAST_MODEL_API_KEY, ' +
  'where that server asks for a key), or name models in holdfast.yaml';
