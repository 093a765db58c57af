/** What boot.js has asked for: the answer to each address, by whose token. */
type FirstReads = { token: string; answers: Record<string, Promise<Response>> }

declare global {
  interface Window {
    platenoteReads?: FirstReads
  }
}

/**
 * The answer to an address that the inline script asked for while the scripts of the page were loading (`reads` of its
 * route); undefined when it did not, or as somebody else. Given once: whoever asks again asks the server.
 */
export function takeFirstRead(url: string, token: string): Promise<Response> | undefined {
  const reads = window.platenoteReads
  const answer = reads?.token === token ? reads.answers[url] : undefined
  delete reads?.answers[url]
  return answer
}

/** Whether the answer to an address is there to be taken, or on its way. */
export const hasFirstRead = (url: string): boolean => window.platenoteReads?.answers[url] !== undefined
