import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { SpaMode } from './lib/page/spa-mode.ts'

/**
 * Writes one page. Used by the build alone (ssr: false). It is a file of our own because the framework's default one
 * wants `isbot` and installs it by itself in the middle of a build.
 */
export default async function handle(request: Request, status: number, headers: Headers, context: EntryContext) {
  const stream = await renderToReadableStream(
    <SpaMode value={context.isSpaMode}>
      <ServerRouter context={context} url={request.url} />
    </SpaMode>,
    { signal: request.signal },
  )
  await stream.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(stream, { status, headers })
}
