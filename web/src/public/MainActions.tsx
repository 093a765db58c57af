import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { SignedIn, SignedOut } from '~/ui/AuthVisibility'
import { ButtonLink } from '~/ui/Button'

/** Lets both stand side by side on a phone, where their texts are short enough. */
const onPhone = 'max-sm:min-h-12! max-sm:grow max-sm:px-3! max-sm:text-base!'

/** Shows the two main buttons (requirements §2), whose targets depend on whether the visitor is signed in. */
export function MainActions() {
  const actions = (main: string, mainText: string, send: string) => (
    <>
      <ButtonLink to={main} variant="primary" size="lg" className={onPhone}>
        {mainText}
      </ButtonLink>
      <ButtonLink to={send} size="lg" className={onPhone}>
        {m.action_send_a_message()}
      </ButtonLink>
    </>
  )
  return (
    <div className="flex flex-wrap gap-2.5 sm:gap-3">
      <SignedOut>{actions(paths.signup(), m.action_register_vehicle(), paths.login(paths.send()))}</SignedOut>
      <SignedIn>{actions(paths.dashboard(), m.action_go_to_dashboard(), paths.send())}</SignedIn>
    </div>
  )
}
