import type { AdminStats } from '#contract/admin.ts'
import { PROVINCES } from '#contract/provinces.ts'
import type { Db } from '../db/pool.ts'
import { countLiveByProvince } from './vehicle-queries.ts'

/** Counts the vehicles that are active or verified, in all and in each province (requirements §6). */
export async function getStats(db: Db): Promise<AdminStats> {
  const counts = new Map((await countLiveByProvince(db)).map(({ province, count }) => [province, count]))
  const by_province = Object.fromEntries(PROVINCES.map((name) => [name, counts.get(name) ?? 0]))
  return {
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    by_province: by_province as AdminStats['by_province'],
  }
}
