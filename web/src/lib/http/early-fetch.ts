/** What boot.js has asked for: the answer to each address, by whose token. */
type EarlyResponses = { token: string; answers: Record<string, Promise<Response>> }

declare global {
  interface Window {
    platenoteReads?: EarlyResponses
  }
}

/**
 * The answer to an address that the inline script asked for while the scripts of the page were loading (`reads` of its
 * route); undefined when it did not, or as somebody else. Given once: whoever asks again asks the server.
 */
export function takeEarlyResponse(url: string, token: string): Promise<Response> | undefined {
  const early = window.platenoteReads
  const response = early?.token === token ? early.answers[url] : undefined
  delete early?.answers[url]
  return response
}

/** Whether the answer to an address is there to be taken, or on its way. */
export const hasEarlyResponse = (url: string): boolean => window.platenoteReads?.answers[url] !== undefined
