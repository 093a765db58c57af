// chunk: who-to-call

import { m } from '#texts/messages.js'
import type { Text } from './product.ts'

/** A service to call. Where no number is known for sure it is null, and the name says whom to ask for. */
type PhoneContact = { name: Text; number: string | null }

export type Municipality = {
  id: string
  name: Text
  /** For what is no emergency. */
  police: PhoneContact
  /** Parking and by-laws. */
  city: PhoneContact
}

/** When the sources were last looked at. */
export const NUMBERS_CHECKED_AT = '2026-11-23T12:00:00Z'

const same = (name: string) => () => name
const police = (name: Text, number: string | null): PhoneContact => ({ name, number })
const PEEL = police(m.police_peel_regional, '905-453-3311')
const YORK = police(m.police_york_regional, '1-866-876-5423')
const CALL_311: PhoneContact = { name: m.call_the_city, number: '311' }
/** A city without 311, or where it is not known for sure. */
const cityHall = (city: string, number: string | null = null): PhoneContact => ({
  name: (_, options) => m.call_city_of({ city }, options),
  number,
})

const municipality = (id: string, name: Municipality['name'], police: PhoneContact, city: PhoneContact) =>
  ({ id, name, police, city }) satisfies Municipality

/**
 * Whom a sender can call when nobody answers, in the 20 largest municipalities by the census of 2021. docs/legal-notes.md has where
 * each number is from, and how they are kept. One that was not sure is left out, and the service named instead.
 */
export const MUNICIPALITIES: readonly Municipality[] = [
  municipality('toronto', same('Toronto'), police(m.police_toronto, '416-808-2222'), CALL_311),
  municipality('montreal', m.municipality_montreal, police(m.police_spvm, '514-280-2222'), CALL_311),
  municipality('calgary', same('Calgary'), police(m.police_calgary, '403-266-1234'), CALL_311),
  municipality('ottawa', same('Ottawa'), police(m.police_ottawa, '613-236-1222'), CALL_311),
  municipality('edmonton', same('Edmonton'), police(m.police_edmonton, '780-423-4567'), CALL_311),
  municipality('winnipeg', same('Winnipeg'), police(m.police_winnipeg, '204-986-6222'), CALL_311),
  municipality('mississauga', same('Mississauga'), PEEL, CALL_311),
  municipality('vancouver', same('Vancouver'), police(m.police_vancouver, '604-717-3321'), CALL_311),
  municipality('brampton', same('Brampton'), PEEL, CALL_311),
  municipality('hamilton', same('Hamilton'), police(m.police_hamilton, '905-546-4925'), cityHall('Hamilton')),
  municipality('surrey', same('Surrey'), police(m.police_surrey, '604-599-0502'), cityHall('Surrey')),
  municipality('quebec', m.municipality_quebec, police(m.police_spvq, '418-691-6911'), CALL_311),
  municipality('halifax', same('Halifax'), police(m.police_halifax_regional, '902-490-5020'), CALL_311),
  municipality('laval', same('Laval'), police(m.police_laval, null), CALL_311),
  municipality('london', same('London'), police(m.police_london, '519-661-5670'), cityHall('London')),
  municipality('markham', same('Markham'), YORK, cityHall('Markham')),
  municipality('vaughan', same('Vaughan'), YORK, cityHall('Vaughan', '905-832-2281')),
  municipality('gatineau', same('Gatineau'), police(m.police_gatineau, '819-246-0222'), CALL_311),
  municipality('saskatoon', same('Saskatoon'), police(m.police_saskatoon, '306-975-8300'), cityHall('Saskatoon')),
  municipality(
    'kitchener',
    same('Kitchener'),
    police(m.police_waterloo_regional, '519-570-9777'),
    cityHall('Kitchener'),
  ),
]
