/** The responses that the inline head script requested, by URL, the token it used, and when it did so. */
type EarlyFetch = { token: string; sentAt: number; responses: Record<string, Promise<Response>> }

declare global {
  interface Window {
    platenoteEarlyFetch?: EarlyFetch
  }
}

/**
 * Returns the response that the inline head script requested while the page's scripts were loading (`prefetch` of the
 * route); undefined when it requested none, or with another token. Each is returned once: the next request goes to the
 * server.
 */
export function takeEarlyResponse(url: string, token: string): Promise<Response> | undefined {
  const early = window.platenoteEarlyFetch
  const response = early?.token === token ? early.responses[url] : undefined
  delete early?.responses[url]
  return response
}

/** Returns whether a URL was requested early and its response has not been taken yet. */
export const hasEarlyResponse = (url: string): boolean => window.platenoteEarlyFetch?.responses[url] !== undefined
