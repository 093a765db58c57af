import { RETENTION, type RetentionPeriod } from '../retention.ts'

// npm run --silent node -- server/src/cli/generate-retention-doc.ts > docs/retention.md

const formatRow = ({ what, period, since, end, where }: RetentionPeriod) =>
  `| ${what} | ${period} | ${since} | ${end} | \`${where}\` |`

/** Returns the text of `docs/retention.md`, generated from the table in `retention.ts`. */
export const renderRetentionDoc = (): string => `# Retention

Generated from \`server/src/retention.ts\` by \`npm run --silent node -- server/src/cli/generate-retention-doc.ts > docs/retention.md\`; a test compares the two.

What ends by itself, and when (decision retention-and-deletion). The cleanups of the [background jobs](architecture.md#background-jobs) read
the periods from the same table. What is not listed is kept until the person removes it or deletes the account; backups may
hold it until they are replaced in turn.

| What | Kept for | Since | Then | Where |
|---|---|---|---|---|
${Object.values(RETENTION).map(formatRow).join('\n')}

Blocks last until they are taken back or the account of whoever made them goes, and a consent to the terms as long as its account.

The audit log cannot be altered, and for 24 months nothing can be deleted from it: the database refuses. Of an account that was deleted it shows the first letter of the address, and the domain only
when very many people have an address there; of any other domain it shows the ending, because a rare domain names its owner.
`

if (import.meta.main) process.stdout.write(renderRetentionDoc())
