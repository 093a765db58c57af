import { IMAGE_MAX_BYTES, IMAGE_MAX_PIXELS } from '#contract/attachments.ts'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { LIMITS, type Limit } from '../limits/limits.ts'
import { RETENTION, type RetentionPeriod } from '../retention.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

// npm run --silent node -- server/src/cli/generate-docs.ts limits > docs/limits.md, and the same with retention

const numberFormat = new Intl.NumberFormat('en-CA')

/** Formats a duration in the largest unit that divides it: '5 minutes', 'hour'. */
function formatDuration(seconds: number): string {
  const [unit, length] =
    seconds % DAY_S === 0 ? ['day', DAY_S] : seconds % HOUR_S === 0 ? ['hour', HOUR_S] : (['minute', MINUTE_S] as const)
  const count = seconds / length
  return count === 1 ? unit : `${count} ${unit}s`
}

const formatRow = ({ description, subject, max, windowS, storage }: Limit) =>
  `| ${description} | ${subject} | ${numberFormat.format(max)} | ${windowS === null ? 'at a time' : `in any ${formatDuration(windowS)}`} | ${storage ?? 'database'} |`

/** Returns the text of `docs/limits.md`, generated from the table in `limits.ts`. */
export const renderLimitsDoc = (): string => `# Limits

Generated from \`server/src/limits/limits.ts\` by \`npm run --silent node -- server/src/cli/generate-docs.ts limits > docs/limits.md\`; a test compares the two.

The setting \`LIMIT_SCALE\` multiplies each number; none becomes less than 1. Over a limit the response is 429 with the code
\`too_many_requests\` (under \`/auth/v1\` the codes of that protocol), a text for people, and \`Retry-After\`: the seconds until
the next attempt can succeed. Over the number of vehicles it is 409 \`too_many_vehicles\`, because waiting does not help. Refused
attempts do not count, so a caller who keeps trying does not wait longer.

| What | For each | At most | Within | Counted in |
|---|---|---|---|---|
${Object.values(LIMITS).map(formatRow).join('\n')}

Counted in the database: exact across processes, and kept across restarts. (Messages from the contact page are counted in the
transaction that stores them: at the turn of a minute one does not see another that has not committed yet, and may be
allowed above the limit.) Counted in the process: each process has its own count, which ends with it. A count is deleted
once nothing reads it any more: after its window and one sixtieth of it.

A **person** is a mailbox: all accounts whose addresses lead to it (lower case, without a plus-tag, without dots where the
provider ignores them), under a keyed hash. Deleting an account and signing up again changes no count (decision rate-limits). A
**network** is an IPv4 address or the /64 of an IPv6 address. Its wider networks count too, with growing limits: twice the
number for a /56, four times for a /48 and for the /24 of an IPv4 address. An attempt counts in all of them or in none.
Over a limit of the whole **installation** the log has a line of level error that begins with 'alarm'.

In addition, a message and a reply have at most ${numberFormat.format(MESSAGE_MAX)} characters; an image has at most ${IMAGE_MAX_BYTES / 1e6} MB and ${IMAGE_MAX_PIXELS / 1e6} million pixels; an
account has at most 50 sessions, and one more ends the longest unused. Challenges to other owners' plates have
limits of their own ([disputes](disputes.md)). None of these is scaled.
`

const formatPeriod = ({ what, period, since, end }: RetentionPeriod) => `| ${what} | ${period} | ${since} | ${end} |`

/** Returns the text of `docs/retention.md`, generated from the table in `retention.ts`. */
export const renderRetentionDoc = (): string => `# Retention

Generated from \`server/src/retention.ts\` by \`npm run --silent node -- server/src/cli/generate-docs.ts retention > docs/retention.md\`; a test compares the two.

What ends by itself, and when (decision retention-and-deletion). The cleanups of the [background jobs](architecture.md#background-jobs) read
the periods from the same table. What is not listed is kept until the person removes it or deletes the account; backups may
hold it until they are replaced in turn.

| What | Kept for | Since | Then |
|---|---|---|---|
${Object.values(RETENTION).map(formatPeriod).join('\n')}

Blocks last until they are taken back or the account of whoever made them goes, and a consent to the terms as long as its account.

The audit log cannot be altered, and for 24 months nothing can be deleted from it: the database refuses. Of an account that was deleted it shows the first letter of the address, and the domain only
when very many people have an address there; of any other domain it shows the ending, because a rare domain names its owner.
`

if (import.meta.main) process.stdout.write(process.argv[2] === 'retention' ? renderRetentionDoc() : renderLimitsDoc())
