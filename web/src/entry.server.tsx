import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { SpaMode } from './lib/page/route-handle.ts'

/**
 * Renders one page. Only the build uses it (ssr: false). It replaces the framework's default, which needs `isbot` and
 * installs that in the middle of a build.
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
