import type { FastifyInstance } from 'fastify'
import { refuse } from '../refusal.ts'

/**
 * Replaces Fastify's JSON parser, which refuses the JSON content type with an empty body that auth-js sends to sign out.
 * Everything else is parsed as before; keys that would change a prototype are refused.
 */
export function registerJsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void parse(request, body as string, (error, value) => {
      if (!error) return done(null, value)
      try {
        refuse('bad_json')
      } catch (refusal) {
        done(refusal as Error, undefined)
      }
    })
  })
  // a form or plain text is refused instead of being read as something
  app.removeContentTypeParser('text/plain')
}
