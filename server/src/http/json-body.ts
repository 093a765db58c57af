import type { FastifyInstance } from 'fastify'
import { refuse } from '../refusal.ts'

/**
 * Replaces Fastify's JSON parser: auth-js signs out with a JSON content type and an empty body, which Fastify refuses.
 * Everything else stays as it was; keys that would change a prototype are refused.
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
  // a form or a plain text is no JSON: say so, rather than reading it as something
  app.removeContentTypeParser('text/plain')
}
