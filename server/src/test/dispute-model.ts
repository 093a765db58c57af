// The model the server is compared with in vehicles' model test.

/** The number of users; each is identified by an index. */
export const USER_COUNT = 5

export type Vehicle = {
  id: string
  owner: number
  plate: number
  status: string
  survived?: boolean
  /** It has had the plate at some time: messages to it arrived. */
  wasLive?: boolean
  /** How many of its documents are here. */
  uploads: number
}
export type Challenge = {
  incumbent: Vehicle
  earlier: string
  challenger: Vehicle
  pauses: boolean
  received: boolean
  /** It was received by an upload alone, which can be taken back. */
  byUpload: boolean
  due: boolean
}

/** The rules of requirements §4 and decision plate-disputes, written again and as plainly as possible. */
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
  /** Gives a vehicle the plate, or leaves it with it, and tells its owner which of the two. */
  settle(vehicle: Vehicle, status: string) {
    const goesOn = this.challenges.some((c) => c.incumbent === vehicle)
    const outcome = !vehicle.wasLive
      ? goesOn
        ? 'started'
        : 'gained'
      : vehicle.status === 'verified'
        ? 'stayed'
        : vehicle.status === 'active'
          ? 'undisturbed'
          : goesOn
            ? 'resumed'
            : 'restored'
    vehicle.status = status
    vehicle.wasLive = true
    this.mails[vehicle.owner]!.push(`dispute_settled ${outcome}`)
  }
  /** Removes the vehicle from every dispute about its plate. */
  giveUpPlate(vehicle: Vehicle) {
    const own = this.challenges.find((c) => c.challenger === vehicle)
    const against = this.challenges.filter((c) => c.incumbent === vehicle)
    const wasPaused = this.challenges.some((c) => c.incumbent === own?.incumbent && c.pauses)
    this.challenges = this.challenges.filter((c) => c !== own && c !== against[0])
    if (own) {
      own.incumbent.survived = true
      const left = this.challenges.filter((c) => c.incumbent === own.incumbent)
      const resumes = wasPaused && !left.some((c) => c.pauses)
      if (left.length === 0 || resumes) this.settle(own.incumbent, own.earlier)
    }
    const [successor, ...others] = against
    if (successor && others.length === 0) this.settle(successor.challenger, 'active')
    for (const other of others)
      Object.assign(other, { incumbent: successor!.challenger, earlier: 'active', pauses: true })
    this.forgetDocuments()
  }
  /** A vehicle in no dispute has no documents here. */
  forgetDocuments() {
    for (const vehicle of this.vehicles) if (this.roleOf(vehicle) === null) vehicle.uploads = 0
  }
  challengeOf(vehicle: Vehicle) {
    return this.challenges.find((c) => c.challenger === vehicle)
  }
  upload(vehicle: Vehicle): string | undefined {
    if (this.roleOf(vehicle) === null) return 'documents_not_needed'
    if (vehicle.uploads === 2) return 'documents_full'
    vehicle.uploads++
    const challenge = this.challengeOf(vehicle)
    if (challenge && !challenge.received) Object.assign(challenge, { received: true, byUpload: true })
    return undefined
  }
  takeBack(vehicle: Vehicle) {
    vehicle.uploads--
    const challenge = this.challengeOf(vehicle)
    if (vehicle.uploads === 0 && challenge?.byUpload) Object.assign(challenge, { received: false, byUpload: false })
  }
  receiveMail(vehicle: Vehicle) {
    const challenge = this.challengeOf(vehicle)
    if (challenge) Object.assign(challenge, { received: true, byUpload: false })
  }
  mark(challenge: Challenge, received: boolean): string | undefined {
    if (!received && challenge.received && challenge.challenger.uploads > 0) return 'documents_are_here'
    if (received !== challenge.received) Object.assign(challenge, { received, byUpload: false })
    return undefined
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
    const vehicle: Vehicle = { id: '', owner, plate, status: 'active', uploads: 0 }
    if (holders.length === 0) {
      vehicle.wasLive = true
      this.vehicles.push(vehicle)
      return { status: 'registered', vehicle }
    }
    if (this.challenges.some((c) => c.challenger.owner === owner)) return { code: 'open_challenge' }
    if (this.startedChallenges[owner]! >= 3) return { code: 'too_many_challenges' }
    const known = this.challenges.find((c) => c.incumbent.plate === plate)
    const incumbent = known?.incumbent ?? holders[0]!
    const earlier = known?.earlier ?? incumbent.status
    const verified = earlier === 'verified'
    const pauses = !verified && !incumbent.survived
    const pausesNow = pauses && !this.challenges.some((c) => c.incumbent === incumbent && c.pauses)
    this.challenges.push({
      incumbent,
      earlier,
      challenger: vehicle,
      pauses,
      received: false,
      byUpload: false,
      due: false,
    })
    this.startedChallenges[owner]!++
    if (pausesNow || !known) this.notifications[incumbent.owner]!.push(`plate_disputed ${plate}`)
    if (pausesNow) this.mails[incumbent.owner]!.push('dispute_incumbent')
    else if (!known) this.mails[incumbent.owner]!.push(verified ? 'dispute_verified_owner' : 'dispute_live_owner')
    this.mails[owner]!.push('dispute_challenger')
    if (pausesNow) incumbent.status = 'pending_verification'
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
    this.forgetDocuments()
    for (const loser of losers) this.notifyOwner(loser, 'vehicle_deleted')
    vehicle.status = 'verified'
    vehicle.wasLive = true
    this.notifyOwner(vehicle, 'vehicle_approved')
    return { deleted: losers.length }
  }

  /** Deletes the account with its notifications and emails. */
  deleteAccount(owner: number) {
    for (const vehicle of this.vehicles.filter((one) => one.owner === owner)) this.remove(vehicle)
    this.notifications[owner] = []
    this.mails[owner] = []
    // its person has started as many challenges as before
  }

  /** Lets ninety days pass: nothing is remembered. */
  forget() {
    this.startedChallenges.fill(0)
    for (const vehicle of this.vehicles) vehicle.survived = false
  }
}
