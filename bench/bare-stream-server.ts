/** Does the least a server can do for a send and its stream: respond, then write. Used by live.ts; its argument is the port. */
import { createServer, type ServerResponse } from 'node:http'

const streams = new Map<string, ServerResponse>()

createServer((request, response) => {
  const [path = '', id] = (request.url ?? '').split('?')
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': open\n\n')
    streams.set(path, response)
    return
  }
  response.end('ok')
  streams.get(path)?.write(`event: notification\ndata: {"message_id":"${id}"}\n\n`)
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'))

process.once('SIGTERM', () => process.exit(0))
