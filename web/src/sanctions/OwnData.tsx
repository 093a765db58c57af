import { m } from '~/paraglide/messages'
import { DataExport } from '~/profile/DataExport'
import { DeleteAccount } from '~/profile/DeleteAccount'

/** Shows what a suspended person may do with their data. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function OwnData() {
  return (
    <section aria-labelledby="own-data" className="grid gap-5 pt-4">
      <div className="grid gap-1.5">
        <h2 id="own-data" className="text-xl font-bold">
          {m.suspended_data()}
        </h2>
        <p className="text-ink-soft">{m.suspended_data_text()}</p>
      </div>
      <DataExport />
      <DeleteAccount />
    </section>
  )
}
