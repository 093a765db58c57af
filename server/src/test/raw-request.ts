import { type IncomingHttpHeaders, request } from 'node:http'

type RawResponse = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string }

/**
 * Sends a request exactly as given: the address is not normalized, no header is added, no encoding is undone. Without a body
 * only the headers are sent.
 */
export function rawRequest(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}
