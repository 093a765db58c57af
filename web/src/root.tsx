import { INLINE_HEAD_SCRIPT } from 'virtual:inline-head'
import { PLAIN_FORM_SCRIPT } from 'virtual:plain-form-script'
import { type ReactNode, use, useEffect } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches } from 'react-router'
import type { Route } from './+types/root'
import fontUrl from './fonts/overpass.woff2?url'
import './lib/page/translated-page.client.ts'
import './lib/form/restore-typed.ts'
import { getLocale, LANGUAGE_TAGS, setPrerenderLocale } from './lib/i18n/i18n.tsx'
import { ACCOUNT_PAGE, EARLY_FETCH } from './lib/page/inline-head-attributes.ts'
import { type RouteHandle, SpaMode } from './lib/page/route-handle.ts'
import { siteMeta } from './lib/page/site.ts'
import { toast } from './lib/toast/toast.ts'
import { m } from './paraglide/messages.js'
import { UnexpectedError } from './public/UnexpectedError.tsx'
import cssUrl from './styles.css?url'

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request }, next) => {
    setPrerenderLocale(new URL(request.url).pathname)
    return next()
  },
]

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: fontUrl, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/icon-180.png' },
  { rel: 'manifest', href: getLocale() === 'en' ? '/manifest.en.webmanifest' : '/manifest.fr.webmanifest' },
]

/** Renders the document around every page. */
export function Layout({ children }: { children: ReactNode }) {
  const matches = useMatches()
  const spaMode = use(SpaMode)
  const has = (kind: 'static' | 'plainForm') =>
    matches.some((match) => (match.handle as RouteHandle | undefined)?.[kind])
  const isPlainForm = import.meta.env.SSR && !spaMode && has('plainForm')
  // only prerendering omits the scripts: the dev server needs them, and a page reached on the client keeps the running ones
  const withoutScripts = isPlainForm || (import.meta.env.SSR && import.meta.env.PROD && !spaMode && has('static'))
  // a set: the layout and the page may show the same data
  const earlyFetches = [
    ...new Set(
      matches
        .flatMap((match) => (match.handle as RouteHandle | undefined)?.prefetch ?? [])
        .map((early) => (typeof early === 'string' ? early : early.meta?.url)),
    ),
  ]
  const isAccountPage = matches.some((match) => (match.handle as RouteHandle | undefined)?.accountPage)
  return (
    <html
      lang={LANGUAGE_TAGS[getLocale()]}
      {...(earlyFetches.length > 0 && { [EARLY_FETCH]: earlyFetches.join(' ') })}
      {...(isAccountPage && { [ACCOUNT_PAGE]: '' })}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
        {siteMeta().map(({ name, content }) => (
          <meta key={name} name={name} content={content} />
        ))}
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf8f2" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e1512" />
        {/* has run by the time the page is hydrated: the app need not carry it */}
        <script
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? INLINE_HEAD_SCRIPT : '' }}
        />
        {/* precedence: puts it before the modulepreload links; without it the style sheet comes last in the head */}
        <link rel="stylesheet" href={cssUrl} precedence="high" />
        <Meta />
        <Links />
        {isPlainForm && <script type="module" src={PLAIN_FORM_SCRIPT} />}
      </head>
      <body>
        {children}
        {withoutScripts ? null : (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  )
}

/** Loaded once the page is shown, and long before a release: without it a page whose code is gone is only loaded again. */
function loadPagesFirst() {
  const sayUnreachable = () => toast.error(m.error_network())
  const load = () =>
    void import('./lib/release/missing-code.ts')
      .then((module) => module.loadPagesFirst(sayUnreachable))
      .catch(console.warn)
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 2000 })
  else setTimeout(load) // Safari
}

export default function App() {
  useEffect(loadPagesFirst, [])
  return <Outlet />
}

export function HydrateFallback() {
  return null
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <UnexpectedError error={error} />
}
