import { focusOnMount } from '~/auth/focus-on-mount'
import { m } from '~/paraglide/messages'
import { DataExport } from '~/profile/DataExport'
import { DeleteAccount } from '~/profile/DeleteAccount'

/** Shows what a user who does not agree to the terms can do: download their data, and delete the account. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function DeclineTermsOptions() {
  return (
    <div className="grid gap-5 pt-6">
      <div className="grid gap-1.5">
        <h2 ref={focusOnMount} tabIndex={-1} className="text-xl font-bold outline-none">
          {m.consent_leaving()}
        </h2>
        <p className="text-ink-soft">{m.consent_leaving_text()}</p>
      </div>
      <DataExport />
      <DeleteAccount />
    </div>
  )
}
