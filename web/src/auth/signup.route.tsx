import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/signup.route'
import { SignupPage } from './SignupPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.signup_title(), description: m.signup_description() })

export default function Signup() {
  return <SignupPage />
}
