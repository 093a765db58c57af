import type { SampleVehicle } from './admin-data.ts'

/** One request, and the status its response must have. */
export type AdminRequest = { method: 'GET' | 'POST'; path: string; body?: unknown; status: number }

/**
 * A kind of request, measured on both databases. Search texts come from the data, so that they are found whatever its size.
 * A case whose page is full only in the large database has no target: the longer response takes longer. One that reads every
 * row (one or two characters that nothing has) is judged by its time with the large database instead of by the ratio.
 */
export type BenchmarkCase = {
  name: string
  makeRequest: (n: number, data: BenchmarkData) => AdminRequest
  hasTarget?: false
  readsEveryRow?: true
}
export type BenchmarkData = { samples: SampleVehicle[]; page500: string; ownPlate: string }

const list = (filters: Record<string, string>): AdminRequest => ({
  method: 'GET',
  path: `/api/admin/vehicles?${new URLSearchParams(filters).toString()}`,
  status: 200,
})
const users = (body: Record<string, string>): AdminRequest => ({
  method: 'POST',
  path: '/rest/v1/rpc/get_users',
  body,
  status: 200,
})
const send = (plate: string, status: number): AdminRequest => ({
  method: 'POST',
  path: '/api/messages',
  body: { plate, content: 'Your lights are on.' },
  status,
})

const pick = <T>(items: readonly T[], n: number): T => items[n % items.length]!
const LETTERS = [...'ABCDEFHJKLMNPRSTVWXYZ']
const localPart = (email: string) => email.slice(0, email.indexOf('@'))

/** Returns the nth choice of all four filters; its page is full. */
export const allFourFilters = (n: number) =>
  ({ plate: String(n % 10), email: 'gmail', province: 'Ontario', status: 'active' }) as const

export const LIST_CASES: BenchmarkCase[] = [
  { name: 'vehicles, first page', makeRequest: () => list({}) },
  { name: 'vehicles, page 500', makeRequest: (_, data) => list({ cursor: data.page500 }) },
  { name: 'plate, all of it', makeRequest: (n, data) => list({ plate: pick(data.samples, n).plate_key }) },
  {
    name: 'plate, five characters',
    makeRequest: (n, data) => list({ plate: pick(data.samples, n).plate_key.slice(-5) }),
  },
  {
    hasTarget: false,
    name: 'plate, three letters',
    makeRequest: (n) => list({ plate: pick(LETTERS, n) + pick(LETTERS, n * 5) + pick(LETTERS, n * 11) }),
  },
  { name: 'plate, two letters', makeRequest: (n) => list({ plate: pick(LETTERS, n) + pick(LETTERS, n * 5) }) },
  { name: 'plate, two digits', makeRequest: (n) => list({ plate: String(10 + (n % 90)) }) },
  { name: 'plate, one letter', makeRequest: (n) => list({ plate: pick(LETTERS, n) }) },
  { name: 'plate, a letter none has', readsEveryRow: true, makeRequest: () => list({ plate: 'Q' }) },
  { name: 'plate, no hit', makeRequest: (n) => list({ plate: `QZ${n % 1000}` }) },
  { name: 'e-mail, one', makeRequest: (n, data) => list({ email: localPart(pick(data.samples, n).email) }) },
  { name: 'e-mail, gmail', makeRequest: () => list({ email: 'gmail' }) },
  { name: 'e-mail, a family name', makeRequest: () => list({ email: 'ouellet' }) },
  { name: 'e-mail, no hit', makeRequest: (n) => list({ email: `nobody${n}x` }) },
  { name: 'e-mail, %', readsEveryRow: true, makeRequest: () => list({ email: '%' }) },
  { name: 'province, Ontario', makeRequest: () => list({ province: 'Ontario' }) },
  { name: 'province, the smallest', makeRequest: () => list({ province: 'Prince Edward Island' }) },
  { name: 'status, active', makeRequest: () => list({ status: 'active' }) },
  { name: 'status, rejected', makeRequest: () => list({ status: 'rejected' }) },
  { name: 'status, one nobody has', makeRequest: () => list({ status: 'approved' }) },
  {
    name: 'rejected in the smallest province',
    makeRequest: () => list({ status: 'rejected', province: 'Prince Edward Island' }),
  },
  {
    name: 'gmail and a whole plate',
    makeRequest: (n, data) => list({ email: 'gmail', plate: pick(data.samples, n).plate_key }),
  },
  {
    name: 'one owner and a digit',
    makeRequest: (n, data) => list({ email: localPart(pick(data.samples, n).email), plate: '7' }),
  },
  { name: 'gmail and a digit in Quebec', makeRequest: () => list({ email: 'gmail', plate: '7', province: 'Quebec' }) },
  { name: 'gmail, rejected', makeRequest: () => list({ email: 'gmail', status: 'rejected' }) },
  { name: 'all four filters', makeRequest: (n) => list(allFourFilters(n)) },
  { name: 'users, first page', makeRequest: () => users({}) },
  { name: 'users, one address', makeRequest: (n, data) => users({ search: localPart(pick(data.samples, n).email) }) },
  { name: 'users, gmail', makeRequest: () => users({ search: 'gmail' }) },
  { name: 'users, a first name', makeRequest: () => users({ search: 'helene' }) },
  {
    name: 'users, a double name',
    hasTarget: false,
    makeRequest: (n, data) => users({ search: pick(data.samples, n).full_name }),
  },
  { name: 'users, no hit', makeRequest: (n) => users({ search: `nobody${n}x` }) },
  { name: 'users, two letters none has', readsEveryRow: true, makeRequest: () => users({ search: 'qx' }) },
  { name: 'inbox', makeRequest: () => ({ method: 'GET', path: '/api/admin/inbox', status: 200 }) },
]

export const PLATE_CASES: BenchmarkCase[] = [
  { name: 'send, plate not registered', makeRequest: (n) => send(`QQ${n}`, 404) },
  { name: 'send, own plate', makeRequest: (_, data) => send(data.ownPlate, 409) },
]

export const STATS_CASE: BenchmarkCase = {
  name: 'stats',
  makeRequest: () => ({ method: 'GET', path: '/api/admin/stats', status: 200 }),
}
