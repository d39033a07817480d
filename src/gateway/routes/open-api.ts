import { openApi } from '../open-api';
import { type Route, route } from '../route';

/** The document of all routes, its own among them. `routes`: asked when the document is, for the table holds this route. */
export function openApiRoute(routes: () => readonly Route[]): Route {
  let text: string | undefined;
  return route({
    method: 'GET',
    path: '/openapi.json',
    act: null,
    summary: 'This document.',
    answers: { type: 'application/json' },
    handle: async ({ reply }) => {
      text ??= JSON.stringify(openApi(routes()));
      void reply.type('application/json; charset=utf-8');
      return text;
    },
  });
}
