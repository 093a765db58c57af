import type { Sample } from './admin-data.ts'

/** One request, and the status its answer must have. */
export type Call = { method: 'GET' | 'POST'; path: string; body?: unknown; status: number }

/**
 * Makes the nth call of a case; texts come from the data, so that they are there whatever its size. A case that fills
 * its page only where there is more of everything is not judged: the longer answer takes longer.
 */
export type Case = { name: string; call: (n: number, data: Data) => Call; judged?: false }
export type Data = { samples: Sample[]; page500: string; ownPlate: string }

const list = (filters: Record<string, string>): Call => ({
  method: 'GET',
  path: `/api/admin/vehicles?${new URLSearchParams(filters).toString()}`,
  status: 200,
})
const users = (body: Record<string, string>): Call => ({
  method: 'POST',
  path: '/rest/v1/rpc/get_users',
  body,
  status: 200,
})
const send = (plate: string, status: number): Call => ({
  method: 'POST',
  path: '/api/messages',
  body: { plate, content: 'Your lights are on.' },
  status,
})

const at = <T>(items: readonly T[], n: number): T => items[n % items.length]!
const LETTERS = [...'ABCDEFHJKLMNPRSTVWXYZ']
const local = (email: string) => email.slice(0, email.indexOf('@'))

export const LISTS: Case[] = [
  { name: 'vehicles, first page', call: () => list({}) },
  { name: 'vehicles, page 500', call: (_, data) => list({ cursor: data.page500 }) },
  { name: 'plate, all of it', call: (n, data) => list({ plate: at(data.samples, n).plate_key }) },
  { name: 'plate, five characters', call: (n, data) => list({ plate: at(data.samples, n).plate_key.slice(-5) }) },
  {
    judged: false,
    name: 'plate, three letters',
    call: (n) => list({ plate: at(LETTERS, n) + at(LETTERS, n * 5) + at(LETTERS, n * 11) }),
  },
  { name: 'plate, two letters', call: (n) => list({ plate: at(LETTERS, n) + at(LETTERS, n * 5) }) },
  { name: 'plate, two digits', call: (n) => list({ plate: String(10 + (n % 90)) }) },
  { name: 'plate, one letter', call: (n) => list({ plate: at(LETTERS, n) }) },
  { name: 'plate, a letter none has', call: () => list({ plate: 'Q' }) },
  { name: 'plate, no hit', call: (n) => list({ plate: `QZ${n % 1000}` }) },
  { name: 'e-mail, one', call: (n, data) => list({ email: local(at(data.samples, n).email) }) },
  { name: 'e-mail, gmail', call: () => list({ email: 'gmail' }) },
  { name: 'e-mail, a family name', call: () => list({ email: 'ouellet' }) },
  { name: 'e-mail, no hit', call: (n) => list({ email: `nobody${n}x` }) },
  { name: 'e-mail, %', call: () => list({ email: '%' }) },
  { name: 'province, Ontario', call: () => list({ province: 'Ontario' }) },
  { name: 'province, the smallest', call: () => list({ province: 'Prince Edward Island' }) },
  { name: 'status, active', call: () => list({ status: 'active' }) },
  { name: 'status, rejected', call: () => list({ status: 'rejected' }) },
  { name: 'status, one nobody has', call: () => list({ status: 'approved' }) },
  {
    name: 'rejected in the smallest province',
    call: () => list({ status: 'rejected', province: 'Prince Edward Island' }),
  },
  {
    name: 'gmail and a whole plate',
    call: (n, data) => list({ email: 'gmail', plate: at(data.samples, n).plate_key }),
  },
  {
    name: 'one owner and a digit',
    call: (n, data) => list({ email: local(at(data.samples, n).email), plate: '7' }),
  },
  { name: 'gmail and a digit in Quebec', call: () => list({ email: 'gmail', plate: '7', province: 'Quebec' }) },
  { name: 'gmail, rejected', call: () => list({ email: 'gmail', status: 'rejected' }) },
  { name: 'users, first page', call: () => users({}) },
  { name: 'users, one address', call: (n, data) => users({ search: local(at(data.samples, n).email) }) },
  { name: 'users, gmail', call: () => users({ search: 'gmail' }) },
  { name: 'users, a first name', call: () => users({ search: 'helene' }) },
  {
    name: 'users, a double name',
    judged: false,
    call: (n, data) => users({ search: at(data.samples, n).full_name }),
  },
  { name: 'users, no hit', call: (n) => users({ search: `nobody${n}x` }) },
  { name: 'users, two letters none has', call: () => users({ search: 'qx' }) },
  { name: 'disputes', call: () => ({ method: 'GET', path: '/api/admin/disputes', status: 200 }) },
]

export const PLATES: Case[] = [
  { name: 'send, plate not registered', call: (n) => send(`QQ${n}`, 404) },
  { name: 'send, own plate', call: (_, data) => send(data.ownPlate, 409) },
]

export const STATS: Case = { name: 'stats', call: () => ({ method: 'GET', path: '/api/admin/stats', status: 200 }) }
