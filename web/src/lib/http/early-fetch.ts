/** What the inline head script has fetched: the response to each address, and with whose token. */
type EarlyFetch = { token: string; responses: Record<string, Promise<Response>> }

declare global {
  interface Window {
    platenoteEarlyFetch?: EarlyFetch
  }
}

/**
 * Returns the response to an address that the inline head script requested while the page's scripts were loading
 * (`prefetch` of its route); undefined when it did not, or did so as somebody else. Each is given once: whoever asks again
 * asks the server.
 */
export function takeEarlyResponse(url: string, token: string): Promise<Response> | undefined {
  const early = window.platenoteEarlyFetch
  const response = early?.token === token ? early.responses[url] : undefined
  delete early?.responses[url]
  return response
}

/** Returns whether the response to an address has been requested early and not been taken yet. */
export const hasEarlyResponse = (url: string): boolean => window.platenoteEarlyFetch?.responses[url] !== undefined
