import { BellRing, DatabaseBackup, type LucideIcon, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { COUNT_MAX, type Health } from '#contract/health.ts'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { formatBytes, formatCount } from './format.ts'
import { useRetryMails } from './use-retry-mails.ts'

const countText = (count: number) =>
  count >= COUNT_MAX ? m.health_at_least({ count: formatCount(count) }) : formatCount(count)

/** Shows the queues, the backups and the database. */
export function Overview({ health: { mails, pushes, backup, database } }: { health: Health }) {
  const sendWaiting = useRetryMails()
  return (
    <div className="grid gap-5 lg:grid-cols-3">
      <Part icon={Mail} title={m.health_mails()}>
        <Figures>
          <Figure label={m.health_waiting()}>{countText(mails.waiting)}</Figure>
          <Figure label={m.health_oldest()}>
            {mails.oldest_at ? <RelativeTime iso={mails.oldest_at} /> : m.health_none_due()}
          </Figure>
          <Figure label={m.health_mails_failed()}>{countText(mails.failed)}</Figure>
        </Figures>
        {mails.waiting > 0 && (
          <Button
            pending={sendWaiting.isPending}
            className="justify-self-start"
            onClick={() => sendWaiting.mutate('waiting')}
          >
            {m.health_hurry()}
          </Button>
        )}
      </Part>
      <Part icon={BellRing} title={m.health_pushes()}>
        <Figures>
          <Figure label={m.health_waiting()}>{countText(pushes.waiting)}</Figure>
          <Figure label={m.health_oldest()}>
            {pushes.oldest_at ? <RelativeTime iso={pushes.oldest_at} /> : m.health_none_due()}
          </Figure>
        </Figures>
      </Part>
      <Part icon={DatabaseBackup} title={m.health_database()}>
        <Figures>
          <Figure label={m.health_backup()}>
            {backup.succeeded_at ? <RelativeTime iso={backup.succeeded_at} /> : m.health_backup_unknown()}
          </Figure>
          <Figure label={m.health_database_size()}>{formatBytes(database.bytes)}</Figure>
          <Figure label="PostgreSQL">{database.version}</Figure>
          <Figure label={m.health_schema()}>{database.schema}</Figure>
        </Figures>
      </Part>
    </div>
  )
}

function Part({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid">
      <Card className="grid content-start gap-4">
        <h2 className="flex items-center gap-2 text-lg font-bold">
          <Icon aria-hidden="true" className="size-5 shrink-0 text-pine" />
          {title}
        </h2>
        {children}
      </Card>
    </section>
  )
}

const Figures = ({ children }: { children: ReactNode }) => <dl className="grid gap-2">{children}</dl>

/** Shows one figure with its name. */
export function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="font-bold tabular-nums">{children}</dd>
    </div>
  )
}
