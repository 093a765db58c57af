import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { SignedIn, SignedOut } from '~/ui/AuthVisibility'
import { ButtonLink } from '~/ui/Button'

/** Shows the two main buttons (requirements §2), whose targets depend on whether the visitor is signed in. */
export function MainActions() {
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
      <SignedOut>
        <ButtonLink to={paths.signup()} variant="primary" size="lg">
          {m.action_register_vehicle()}
        </ButtonLink>
        <ButtonLink to={paths.login()} size="lg">
          {m.action_send_a_message()}
        </ButtonLink>
      </SignedOut>
      <SignedIn>
        <ButtonLink to={paths.dashboard()} variant="primary" size="lg">
          {m.action_go_to_dashboard()}
        </ButtonLink>
        <ButtonLink to={paths.send()} size="lg">
          {m.action_send_a_message()}
        </ButtonLink>
      </SignedIn>
    </div>
  )
}
