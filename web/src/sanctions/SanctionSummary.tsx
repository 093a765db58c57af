import { isLasting, LIMITED_MESSAGES_PER_DAY, type OwnSanction, type SanctionKind } from '#contract/sanctions.ts'
import { formatDate } from '~/lib/dates/dates'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'

const TITLES: Record<SanctionKind, () => string> = {
  warn: m.sanction_title_warn,
  limit: m.sanction_title_limit,
  suspend: m.sanction_title_suspend,
  delete_message: m.sanction_title_delete_message,
}

const WHAT: Record<SanctionKind, () => string> = {
  warn: m.sanction_what_warn,
  limit: () => m.sanction_what_limit({ count: LIMITED_MESSAGES_PER_DAY }),
  suspend: m.sanction_what_suspend,
  delete_message: m.sanction_what_delete_message,
}

/** Names the kind of a sanction, for the person it is about. */
export const sanctionTitle = ({ kind }: OwnSanction): string => TITLES[kind]()

/** Shows a sanction to the person it is about: what was decided, by whom, why and for how long. */
export function SanctionSummary({ sanction }: { sanction: OwnSanction }) {
  const { kind, reason, created_at, ends_at, in_force } = sanction
  return (
    <Card className="grid gap-4">
      <p>{WHAT[kind]()}</p>
      {isLasting(kind) && (
        <p className="font-bold">
          {in_force
            ? ends_at
              ? m.sanction_until({ date: formatDate(ends_at) })
              : m.sanction_no_end()
            : m.sanction_over()}
        </p>
      )}
      <p>{m.sanction_person({ date: formatDate(created_at) })}</p>
      <div className="grid gap-1">
        <h2 className="text-sm text-ink-soft">{m.sanction_reason()}</h2>
        {reason === null ? (
          <p>{m.sanction_no_reason()}</p>
        ) : (
          <blockquote className="rounded-xl bg-sunken p-4 whitespace-pre-line wrap-anywhere">{reason}</blockquote>
        )}
      </div>
    </Card>
  )
}
