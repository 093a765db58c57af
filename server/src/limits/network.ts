import { isIPv6 } from 'node:net'

/** A network a caller belongs to, and how many times the limit of one subscriber it may use. */
type EnclosingNetwork = { network: string; factor: number }

/**
 * The prefixes that count, each with its factor. One subscriber has an IPv4 address or an IPv6 /64, often a /56, and a
 * tunnel or a small hoster gives away a /48: without the wider steps each of its 65,536 networks would begin at zero.
 */
const V6_STEPS = [
  { bits: 64, factor: 1 },
  { bits: 56, factor: 2 },
  { bits: 48, factor: 4 },
] as const
const V4_STEPS = [
  { bits: 32, factor: 1 },
  { bits: 24, factor: 4 },
] as const

/** Returns the networks around an address that are counted, the narrowest first (decision rate-limits). */
export function enclosingNetworks(ip: string): EnclosingNetwork[] {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.(\d+)$/i.exec(ip)
  if (v4) {
    return V4_STEPS.map(({ bits, factor }) => ({
      network: bits === 32 ? `${v4[1]}.${v4[2]}` : `${v4[1]}.0/24`,
      factor,
    }))
  }
  if (!isIPv6(ip)) return [{ network: ip, factor: 1 }]
  const groups = firstGroups(ip)
  return V6_STEPS.map(({ bits, factor }) => ({ network: formatPrefix(groups, bits), factor }))
}

/** Returns the network that counts as one caller: an IPv4 address, or the /64 of an IPv6 address, all of which one subscriber has. */
export const clientNetwork = (ip: string): string => enclosingNetworks(ip)[0]!.network

/** Returns the first four groups of an IPv6 address as numbers. */
function firstGroups(ip: string): number[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  // an address may end in the form of IPv4, which stands for two groups
  const backLength = back.length + (back.at(-1)?.includes('.') ? 1 : 0)
  const groups =
    tail === undefined ? front : [...front, ...Array<string>(8 - front.length - backLength).fill('0'), ...back]
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16))
}

function formatPrefix(groups: number[], bits: 64 | 56 | 48): string {
  const kept = groups.map((group, i) => {
    const keptBits = Math.min(16, Math.max(0, bits - 16 * i))
    return group & (0xffff << (16 - keptBits))
  })
  return `${kept.map((group) => group.toString(16)).join(':')}::/${bits}`
}
