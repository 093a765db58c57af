import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { readMigrations } from './schema-files.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Lints statements as `npm run lint` does the migrations, and returns the rules they break. */
function lint(sql: string): string[] {
  const squawk = join(ROOT, 'node_modules/squawk-cli/js/bin/squawk')
  const { stdout } = spawnSync(process.execPath, [squawk, '--reporter', 'gcc', '--stdin-filepath', '9999_next.sql'], {
    cwd: ROOT,
    input: sql,
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/^9999_next\.sql:\d+:\d+: warning: ([\w-]+)/gm)].map(([, rule]) => rule!)
}

test('what is unsafe beside running servers is found, and what only adds is not', () => {
  const CASES: [sql: string, ...rules: string[]][] = [
    ['alter table messages drop column reason', 'ban-drop-column'],
    ['drop table tags', 'ban-drop-table'],
    ['alter table messages add column mood text not null', 'adding-required-field'],
    ['create index messages_by_reason on messages (reason)', 'require-concurrent-index-creation'],
    [
      `create table moods (id uuid primary key, message_id uuid not null references messages, name text not null unique);
       create index moods_message_id on moods (message_id);
       alter table messages add column mood text, add column loudness integer not null default 0`,
    ],
  ]
  for (const [sql, ...rules] of CASES) assert.deepEqual(lint(`${sql};`), rules, sql)
})

/** Returns the lines that take away what servers of the release before may use and squawk does not look after, without a reason above. */
const findUnseen = (sql: string): string[] =>
  sql
    .split('\n')
    .filter(
      (line, i, lines) => /\bdrop (?:function|trigger|view|default)\b/.test(line) && !/^--/.test(lines[i - 1] ?? ''),
    )

test('a function, a trigger, a view or a default goes only with the reason why nothing uses it', () => {
  assert.deepEqual(findUnseen('drop view live_sanctions;\n-- 0.3.0 stopped using it\ndrop view other;'), [
    'drop view live_sanctions;',
  ])
  for (const { name, sql } of readMigrations().slice(1)) assert.deepEqual(findUnseen(sql), [], name)
})
