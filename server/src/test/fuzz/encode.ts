/** How the bytes of a request are put together. All but the first two lie about their length. */
export const FRAMINGS = [
  'whole',
  'in chunks',
  'cut off',
  'cut off in chunks',
  'longer than it says',
  'two lengths',
  'both',
] as const

export type FuzzRequest = {
  /** The route it was made for, `METHOD url`. */
  route: string
  who: string
  method: string
  target: string
  headers: [name: string, value: string][]
  body: Buffer
  framing: (typeof FRAMINGS)[number]
}

/** Returns the bytes of a request, and whether they lie about themselves: then no response is due. */
export function encodeRequest({ method, target, headers, body, framing }: FuzzRequest): {
  bytes: Buffer
  isMalformed: boolean
} {
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
  const chunked = body.length === 0 ? Buffer.from('0\r\n\r\n') : Buffer.concat([chunk, Buffer.from('0\r\n\r\n')])
  const { length } = body
  const [extra, sent]: [string, Buffer] = {
    whole: [length > 0 ? `content-length: ${length}\r\n` : '', body] as [string, Buffer],
    'in chunks': ['transfer-encoding: chunked\r\n', chunked] as [string, Buffer],
    'cut off': [`content-length: ${length + 10}\r\n`, body] as [string, Buffer],
    'cut off in chunks': ['transfer-encoding: chunked\r\n', chunk] as [string, Buffer],
    'longer than it says': [`content-length: ${Math.floor(length / 2)}\r\n`, body] as [string, Buffer],
    'two lengths': [`content-length: ${length}\r\ncontent-length: ${length + 1}\r\n`, body] as [string, Buffer],
    both: [`content-length: ${length}\r\ntransfer-encoding: chunked\r\n`, chunked] as [string, Buffer],
  }[framing]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const host = headers.some(([name]) => name === 'host') ? '' : 'host: localhost\r\n'
  const head = `${method} ${target} HTTP/1.1\r\n${host}connection: close\r\n${lines}${extra}\r\n`
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), sent]),
    isMalformed: framing !== 'whole' && framing !== 'in chunks',
  }
}

/** Returns a request as a few lines, for people. */
export const describeRequest = (request: FuzzRequest): string =>
  `${request.who}, ${request.framing}:\n${encodeRequest(request).bytes.toString('latin1').slice(0, 2_000)}`
