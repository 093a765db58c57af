import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { EndpointDefinition } from '#contract/endpoint.ts'
import { refuse } from '../refusal.ts'
import { FORM_TYPE } from './form-post.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set where mail programs post, from wherever they are: whoever posts there has to know a secret. */
    takesForeignPosts?: true
  }
}

/** The methods that change nothing and send nothing (RFC 9110 §9.2.1). A link in an email is a GET from another site. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Returns whether a page of another site asks, as far as the browser says: by Fetch Metadata (§2.2, every browser since 2023),
 * before that by its `Origin`. Software that is no browser sends neither.
 *
 * @param ownOrigin of our pages, which may be on another host of the same site
 */
function isForeign({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (site === undefined) return origin !== undefined && origin !== ownOrigin
  if (site === 'same-site') return origin !== ownOrigin
  return site !== 'same-origin' && site !== 'none'
}

/**
 * Refuses with `from_elsewhere` what a page of another site makes its visitors' browsers send: it would write in their names, send
 * mails, make accounts, and use up what their networks may do. Before anything is counted or read; a form is read first, so that
 * it can be given back.
 */
export function refuseOtherSites(app: FastifyInstance, publicUrl: string): void {
  const ownOrigin = new URL(publicUrl).origin
  const check =
    (isOfForms: boolean): onRequestHookHandler =>
    (request, _, done) => {
      if (SAFE_METHODS.includes(request.method)) return done()
      const { config } = request.routeOptions
      const isForm = (config?.endpoint as EndpointDefinition | undefined)?.requestType === FORM_TYPE
      if (isForm === isOfForms && !config?.takesForeignPosts && isForeign(request.headers, ownOrigin))
        refuse('from_elsewhere')
      done()
    }
  app.addHook('onRequest', check(false))
  app.addHook('preHandler', check(true))
}
