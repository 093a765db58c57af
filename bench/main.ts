/** npm run bench -- <name> [options]: measures one thing. Without a name it lists what it can measure. */

const BENCHES: Record<string, { file: string; shows: string }> = {
  send: { file: 'send.ts', shows: 'sends a second, against the same writes by pgbench [--seconds=5 --rounds=3]' },
  lists: { file: 'lists.ts', shows: 'the lists people look at, against their statements [--seconds=3 --rounds=3]' },
  live: { file: 'live.ts', shows: 'how soon an event comes over a stream [--seconds=10 --streams=1000]' },
  admin: {
    file: 'admin.ts',
    shows: 'the lists for admins, small and large [--small=10000 --large=1000000 --calls=200]',
  },
  growth: {
    file: 'growth.ts',
    shows: 'what a statement costs once the tables have grown [--vehicles=100000 --rounds=3]',
  },
  processes: {
    file: 'processes.ts',
    shows: 'sends through several processes [--processes=1,2,4 --batches=1,2 --seconds=3 --rounds=3]',
  },
  'sign-in': { file: 'sign-in.ts', shows: 'reads beside people who sign in [--seconds=5 --rounds=3]' },
  start: { file: 'start.ts', shows: 'how soon the artefact is ready, and its memory when idle [--starts=5]' },
  profile: { file: 'profile.ts', shows: 'who owns the processor time of a request [--seconds=5]' },
  'slow-phone': {
    file: 'slow-phone.mjs',
    shows: 'how soon a slow phone can use the way from /login to a sent message [--rounds=5 --latency=150]',
  },
  lighthouse: {
    file: '../lighthouse/main.mjs',
    shows: 'the pages as a phone sees them, against budgets [--pages=/,/fr/login --runs=5]',
  },
}

const [name] = process.argv.splice(2, 1)
if (name !== undefined && Object.hasOwn(BENCHES, name)) await import(new URL(BENCHES[name]!.file, import.meta.url).href)
else {
  const lines = Object.entries(BENCHES).map(([bench, { shows }]) => `  ${bench.padEnd(12)}${shows}\n`)
  process.stderr.write(`npm run bench -- <name> [options]\n\n${lines.join('')}`)
  if (name !== undefined) process.exitCode = 2
}
