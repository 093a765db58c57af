import type { MessageReason } from '#contract/messages.ts'
import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'

export type SeedUser = { name: string; email: string; locale: Locale; about: string; emailMessages?: false }

/** The password of every seeded user. */
export const SEED_PASSWORD = 'Plate-seed-2025'

export const USERS = {
  maya: {
    name: 'Maya Chen',
    email: 'maya.chen@example.com',
    locale: 'en',
    about: 'owner: vehicles and messages in every state',
  },
  etienne: {
    name: 'Étienne Gagnon',
    email: 'etienne.gagnon@example.com',
    locale: 'fr-CA',
    about: 'owner in French: a dispute, replies, images',
  },
  amelie: {
    name: 'Amélie Bouchard-Lévesque',
    email: 'amelie.bouchard@example.com',
    locale: 'fr-CA',
    about: 'writes often; challenges a plate',
  },
  liam: {
    name: 'Liam O’Connor',
    email: 'liam.oconnor@example.com',
    locale: 'en',
    about: 'wants no e-mails; challenges a plate',
    emailMessages: false,
  },
  priya: {
    name: 'Priya Singh',
    email: 'priya.singh@example.com',
    locale: 'en',
    about: 'ABC123 is hers in British Columbia',
  },
  noah: { name: 'Noah Roy', email: 'noah.roy@example.com', locale: 'en', about: 'new here: nothing yet' },
  grace: {
    name: 'Grace MacLeod',
    email: 'grace.macleod@example.com',
    locale: 'en',
    about: 'admin: users, vehicles, open disputes',
  },
} satisfies Record<string, SeedUser>

export type UserKey = keyof typeof USERS

/** A picture beside this file, `<name>.webp`. */
export type PictureName = 'blocked-driveway' | 'flat-tyre' | 'headlights-at-night'

type EventAction =
  | { do: 'register'; who: UserKey; plate: string; make: string; model: string; year: number; province: Province }
  /** An admin's decision about a vehicle; `seen`: its owner has read the notification. */
  | { do: 'approve' | 'delete'; who: UserKey; plate: string; seen?: true }
  | { do: 'reject'; who: UserKey; plate: string; reason: string }
  | {
      do: 'send'
      from: UserKey
      plate: string
      text: string
      province?: Province
      reason?: MessageReason
      picture?: PictureName
      /** The owner has read the message. */
      read?: true
      /** The email about the message was permanently refused. */
      mailFailed?: true
      /** The name a reply refers to. */
      name?: string
    }
  | { do: 'reply'; to: string; text: string; seen?: true }

export type SeedEvent = EventAction & { hoursAgo: number }

const days = (count: number, hours = 0) => count * 24 + hours

type Registration = [
  hoursAgo: number,
  who: UserKey,
  plate: string,
  make: string,
  model: string,
  year: number,
  province: Province,
]

/** The vehicles they register. */
const REGISTRATIONS: Registration[] = [
  [days(41, 5), 'maya', 'CJKL207', 'Honda', 'Civic', 2019, 'Ontario'],
  [days(41, 4), 'maya', 'AWZD660', 'Ford', 'Focus', 2011, 'Ontario'],
  [days(40, 2), 'etienne', 'F12-NSB', 'Toyota', 'Corolla', 2018, 'Quebec'],
  [days(38), 'liam', 'GLH881', 'Ford', 'F-150', 2020, 'Nova Scotia'],
  [days(37, 7), 'liam', 'ABC123', 'Volkswagen', 'Golf', 2015, 'Ontario'],
  [days(35), 'priya', 'ABC123', 'Nissan', 'Leaf', 2021, 'British Columbia'],
  [days(27, 9), 'maya', 'CDNF558', 'Subaru', 'Forester', 2021, 'Ontario'],
  [days(19, 2), 'maya', 'BXTR914', 'Toyota', 'RAV4', 2022, 'Ontario'],
  [days(18), 'maya', 'CKMW310', 'Mazda', 'CX-5', 2016, 'Ontario'],
  [days(16, 5), 'etienne', 'H47TKR', 'Hyundai', 'Kona', 2023, 'Quebec'],
  [days(4, 7), 'etienne', 'K83PLM', 'Chevrolet', 'Bolt EV', 2020, 'Quebec'],
  [days(2, 6), 'liam', 'CDNF558', 'Subaru', 'Forester', 2021, 'Ontario'],
  [days(2, 2), 'amelie', 'K83-PLM', 'Chevrolet', 'Bolt EV', 2020, 'Quebec'],
]

/** Everything that happened among them, in any order. */
export const EVENTS: SeedEvent[] = [
  ...REGISTRATIONS.map(([hoursAgo, who, plate, make, model, year, province]): SeedEvent => {
    return { do: 'register', hoursAgo, who, plate, make, model, year, province }
  }),
  { hoursAgo: days(33, 3), do: 'approve', who: 'maya', plate: 'CJKL207', seen: true },
  { hoursAgo: days(32), do: 'approve', who: 'etienne', plate: 'F12-NSB', seen: true },
  {
    hoursAgo: days(30, 6),
    do: 'send',
    from: 'etienne',
    plate: 'CJKL207',
    reason: 'lights_on',
    picture: 'headlights-at-night',
    read: true,
    name: 'lights',
    text: 'Hi! Your headlights are still on in the lot behind the library, level P1. The battery may not last until tonight. I took a picture so that you can find the spot.',
  },
  {
    hoursAgo: days(30, 5),
    do: 'reply',
    to: 'lights',
    seen: true,
    text: 'You saved my evening. It started on the first try. Thank you so much! 🙏',
  },
  {
    hoursAgo: days(26, 4),
    do: 'send',
    from: 'priya',
    plate: 'CDNF558',
    reason: 'blocked_in',
    read: true,
    name: 'blocked',
    text: 'You are parked across the exit of the lane behind Harbord Street. Could you move ahead by a metre? No rush, I leave for work at 8:30.',
  },
  {
    hoursAgo: days(26, 3),
    do: 'reply',
    to: 'blocked',
    seen: true,
    text: 'So sorry, I did not see the lane in the dark. Moved!',
  },
  { hoursAgo: days(24), do: 'delete', who: 'maya', plate: 'AWZD660', seen: true },
  {
    hoursAgo: days(22, 8),
    do: 'send',
    from: 'amelie',
    plate: 'F12NSB',
    reason: 'door_open',
    read: true,
    name: 'hayon',
    text: 'Bonjour, le hayon de votre Corolla est resté entrouvert devant la pharmacie, rue Saint-Joseph. Rien ne semble manquer, mais il commence à neiger. ❄️',
  },
  {
    hoursAgo: days(22, 7),
    do: 'reply',
    to: 'hayon',
    seen: true,
    text: 'Un gros merci! J’y suis retourné à temps, à peine quelques flocons sur la banquette. C’est vraiment gentil.',
  },
  {
    hoursAgo: days(15),
    do: 'reject',
    who: 'maya',
    plate: 'CKMW310',
    reason: 'The registration you sent us names another plate.',
  },
  {
    hoursAgo: days(13, 3),
    do: 'send',
    from: 'liam',
    plate: 'BXTR914',
    reason: 'accident',
    picture: 'blocked-driveway',
    read: true,
    text: `Hello, I am sorry to say that I touched your rear bumper while backing out of the driveway next to yours this morning. It was very slow, and as far as I can see there is only a mark of paint the length of a hand, low on the passenger side, but please have a look for yourself in daylight.

I waited for about twenty minutes and rang at two doors, but nobody knew whose car it is, and I had to be at the hospital at nine. I do not want to leave just a note under the wiper that the rain takes away.

Of course I will pay for it. We can settle it between us or through the insurance, whichever you prefer. My number is 555-0142, ask for Liam; evenings after six are best. I also have a picture from before I moved my car, which shows both of them.

Again, I am sorry for the trouble, and thank you for your patience.`,
  },
  {
    hoursAgo: days(12, 6),
    do: 'send',
    from: 'maya',
    plate: 'GLH881',
    reason: 'flat_or_leak',
    picture: 'flat-tyre',
    read: true,
    name: 'tyre',
    text: 'Your right rear tire is almost flat. There is a screw in it, you can see it in the picture. Please don’t take the highway like this!',
  },
  {
    hoursAgo: days(12, 1),
    do: 'reply',
    to: 'tyre',
    seen: true,
    text: 'Good eye. The shop pulled out a 6 cm deck screw 😬 Thanks.',
  },
  {
    hoursAgo: days(9, 4),
    do: 'send',
    from: 'maya',
    plate: 'ABC123',
    province: 'British Columbia',
    read: true,
    text: 'There is a charging cable lying beside your car at the community centre. I hung it over the post.',
  },
  {
    hoursAgo: days(8, 2),
    do: 'send',
    from: 'maya',
    plate: 'H47TKR',
    reason: 'alarm',
    mailFailed: true,
    text: 'Bonjour! Votre alarme sonne depuis environ dix minutes dans le stationnement du marché. Personne autour, peut-être le vent?',
  },
  {
    hoursAgo: days(6, 9),
    do: 'send',
    from: 'etienne',
    plate: 'BXTR914',
    reason: 'towing',
    read: true,
    text: 'Heads-up: the city put out no-parking signs for tomorrow, 7 a.m., snow removal on your side of Crawford Street. They tow quickly here.',
  },
  {
    hoursAgo: days(5, 3),
    do: 'send',
    from: 'amelie',
    plate: 'H47TKR',
    reason: 'blocked_in',
    picture: 'blocked-driveway',
    read: true,
    text: 'Vous bloquez notre entrée au 118, rue de l’Église. Pourriez-vous déplacer votre voiture avant 16 h? Je dois aller chercher les enfants à l’école. Merci d’avance!',
  },
  {
    hoursAgo: days(1, 8),
    do: 'send',
    from: 'maya',
    plate: 'F12-NSB',
    reason: 'other',
    read: true,
    name: 'mitten',
    text: 'Someone put a child’s red mitten under your wiper. In case you wonder: it was lying right beside your door. 🧤',
  },
  {
    hoursAgo: 20,
    do: 'reply',
    to: 'mitten',
    text: 'C’est bien la nôtre! Elle était cherchée partout. Mille mercis de la part d’une petite fille de quatre ans. ❤️',
  },
  {
    hoursAgo: 7,
    do: 'send',
    from: 'priya',
    plate: 'CJKL207',
    reason: 'someone_inside',
    text: 'There is a dog in your car and the windows are closed. It looks fine for now, but the sun is coming around. Please come soon. Level 2, by the elevators.',
  },
  {
    hoursAgo: 3,
    do: 'send',
    from: 'etienne',
    plate: 'GLH881',
    reason: 'door_open',
    text: 'Your tailgate is down and there are two boxes in the bed. I am parked beside you for another half hour and keep an eye on them.',
  },
  {
    hoursAgo: 1.2,
    do: 'send',
    from: 'amelie',
    plate: 'BXTR914',
    reason: 'lights_on',
    picture: 'headlights-at-night',
    text: 'Bonsoir! Vos phares sont restés allumés devant le café, coin Ossington. 🔦 Your lights are on, in front of the café at Ossington.',
  },
  {
    hoursAgo: 0.4,
    do: 'send',
    from: 'maya',
    plate: 'H47TKR',
    reason: 'lights_on',
    text: 'Votre plafonnier est allumé et la portière arrière gauche n’est pas tout à fait fermée. Bonne soirée!',
  },
]
