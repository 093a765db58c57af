import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/about.route'
import { AboutPage } from './AboutPage.tsx'

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.about_title(), description: m.about_description() })

export default AboutPage
