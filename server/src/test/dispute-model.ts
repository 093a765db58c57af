// The model the server is compared with in vehicles' model test.

/** The number of users; each is identified by an index. */
export const USER_COUNT = 5

export type Vehicle = { id: string; owner: number; plate: number; status: string }
export type Challenge = { incumbent: Vehicle; earlier: string; challenger: Vehicle; received: boolean; due: boolean }

/** The rules of requirements §4 and decisions 0049 to 0051, written again and as plainly as possible. */
export class DisputeModel {
  vehicles: Vehicle[] = []
  /** Oldest first. */
  challenges: Challenge[] = []
  notifications: string[][] = Array.from({ length: USER_COUNT }, () => [])
  mails: string[][] = Array.from({ length: USER_COUNT }, () => [])
  startedChallenges: number[] = Array.from({ length: USER_COUNT }, () => 0)

  holdersOf(plate: number) {
    return this.vehicles.filter((vehicle) => vehicle.plate === plate && vehicle.status !== 'rejected')
  }
  roleOf(vehicle: Vehicle) {
    if (this.challenges.some((c) => c.challenger === vehicle)) return 'challenger'
    return this.challenges.some((c) => c.incumbent === vehicle) ? 'incumbent' : null
  }
  notifyOwner({ owner, plate }: Vehicle, type: string, mail = true) {
    this.notifications[owner]!.push(`${type} ${plate}`)
    if (mail) this.mails[owner]!.push(type)
  }
  settle(vehicle: Vehicle, status: string) {
    vehicle.status = status
    this.mails[vehicle.owner]!.push('dispute_settled')
  }
  /** Removes the vehicle from every dispute about its plate. */
  giveUpPlate(vehicle: Vehicle) {
    const own = this.challenges.find((c) => c.challenger === vehicle)
    const against = this.challenges.filter((c) => c.incumbent === vehicle)
    this.challenges = this.challenges.filter((c) => c !== own && c !== against[0])
    if (own && !this.challenges.some((c) => c.incumbent === own.incumbent)) this.settle(own.incumbent, own.earlier)
    const [successor, ...others] = against
    if (successor && others.length === 0) this.settle(successor.challenger, 'active')
    for (const other of others) Object.assign(other, { incumbent: successor!.challenger, earlier: 'active' })
  }
  remove(vehicle: Vehicle) {
    this.giveUpPlate(vehicle)
    this.vehicles = this.vehicles.filter((other) => other !== vehicle)
  }
  reject(vehicle: Vehicle) {
    this.giveUpPlate(vehicle)
    vehicle.status = 'rejected'
    this.notifyOwner(vehicle, 'vehicle_rejected')
  }

  register(owner: number, plate: number): { code?: string; status?: string; vehicle?: Vehicle } {
    const holders = this.holdersOf(plate)
    if (holders.some((vehicle) => vehicle.owner === owner)) return { code: 'already_yours' }
    const vehicle = { id: '', owner, plate, status: 'active' }
    if (holders.length === 0) {
      this.vehicles.push(vehicle)
      return { status: 'registered', vehicle }
    }
    if (this.challenges.some((c) => c.challenger.owner === owner)) return { code: 'open_challenge' }
    if (this.startedChallenges[owner]! >= 3) return { code: 'too_many_challenges' }
    const known = this.challenges.find((c) => c.incumbent.plate === plate)
    const incumbent = known?.incumbent ?? holders[0]!
    this.challenges.push({
      incumbent,
      earlier: known?.earlier ?? incumbent.status,
      challenger: vehicle,
      received: false,
      due: false,
    })
    this.startedChallenges[owner]!++
    const verified = incumbent.status === 'verified'
    if (!known) this.mails[incumbent.owner]!.push(verified ? 'dispute_verified_owner' : 'dispute_incumbent')
    this.mails[owner]!.push('dispute_challenger')
    if (!verified) incumbent.status = 'pending_verification'
    vehicle.status = 'pending_verification'
    this.vehicles.push(vehicle)
    return { status: 'dispute_started', vehicle }
  }

  approve(vehicle: Vehicle): { code?: string; deleted?: number } {
    if (vehicle.status === 'verified') return { code: 'already_verified' }
    const others = this.holdersOf(vehicle.plate).filter((other) => other !== vehicle)
    const challenged = this.challenges.find((c) => c.challenger === vehicle)?.incumbent
    const losers = others.filter((other) => other.status === 'pending_verification' || other === challenged)
    if (losers.length < others.length) return { code: 'plate_is_live' }
    this.challenges = this.challenges.filter((c) => c.incumbent.plate !== vehicle.plate)
    this.vehicles = this.vehicles.filter((other) => !losers.includes(other))
    for (const loser of losers) this.notifyOwner(loser, 'vehicle_deleted')
    vehicle.status = 'verified'
    this.notifyOwner(vehicle, 'vehicle_approved')
    return { deleted: losers.length }
  }

  /** Deletes the account with its notifications and emails. */
  deleteAccount(owner: number) {
    for (const vehicle of this.vehicles.filter((one) => one.owner === owner)) this.remove(vehicle)
    this.notifications[owner] = []
    this.mails[owner] = []
    this.startedChallenges[owner] = 0
  }
}
