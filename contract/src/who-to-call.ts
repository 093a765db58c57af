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
 * Whom a sender can call when nobody answers, in the 20 largest municipalities by the census of 2021. Above each is where its
 * numbers are from: of the police, then of 311; ‘known’ ones are in daily use, and no stored page contradicts them. One that
 * was not sure is left out, and the service named instead. docs/legal-notes.md says how it is kept.
 */
export const MUNICIPALITIES: readonly Municipality[] = [
  // toronto.citynews.ca, 2025-08-07: Toronto police non-emergency phone number; 311: itbusiness.ca: the CRTC gives 311 to
  // Toronto and others
  municipality('toronto', same('Toronto'), police(m.police_toronto, '416-808-2222'), CALL_311),
  // spvm.qc.ca/en/Fiches/Details/911: general information; 311: spvm.qc.ca/en/Fiches/Details/911: municipal services
  municipality('montreal', m.municipality_montreal, police(m.police_spvm, '514-280-2222'), CALL_311),
  // engage.calgary.ca/CPSServiceDelivery: non-emergency line; 311: itbusiness.ca: the CRTC gives 311 to Calgary and others
  municipality('calgary', same('Calgary'), police(m.police_calgary, '403-266-1234'), CALL_311),
  // mckellarparkcommunity.wordpress.com, 2017-05-19: Who do you call?; 311: shadqadri.com, 2016-07-15: 2-1-1, 3-1-1, 4-1-1 and
  // 9-1-1
  municipality('ottawa', same('Ottawa'), police(m.police_ottawa, '613-236-1222'), CALL_311),
  // edmontonpolice.ca, 2020: Police Dispatch, complaint line; 311: edmonton.ca: Enforcement officers, professional standards
  municipality('edmonton', same('Edmonton'), police(m.police_edmonton, '780-423-4567'), CALL_311),
  // globalnews.ca/news/6698270, 2020-03-18: police non-emergency number; 311: pilipino-express.com, 2009: 311, the number to
  // call
  municipality('winnipeg', same('Winnipeg'), police(m.police_winnipeg, '204-986-6222'), CALL_311),
  // locallove.ca: When do you dial 911?; torontosun.com, 2020: non-emergency line; 311: stephendasko.com, 2020: 3-1-1 holiday
  // hours
  municipality('mississauga', same('Mississauga'), PEEL, CALL_311),
  // hastingssunrisecpc.com, 2024: Non-emergency calls made easier; 311: southgranville.org: City of Vancouver 3-1-1
  municipality('vancouver', same('Vancouver'), police(m.police_vancouver, '604-717-3321'), CALL_311),
  // locallove.ca: When do you dial 911?; torontosun.com, 2020: non-emergency line; 311: known
  municipality('brampton', same('Brampton'), PEEL, CALL_311),
  // hamiltonpolice.on.ca/about/human-rights-policing-hamilton: non-emergencies
  municipality('hamilton', same('Hamilton'), police(m.police_hamilton, '905-546-4925'), cityHall('Hamilton')),
  // surrey.ca/about-surrey/surrey-policing-transition, 2024: stays the same
  municipality('surrey', same('Surrey'), police(m.police_surrey, '604-599-0502'), cityHall('Surrey')),
  // Service de police de la Ville de Québec, news release on its new non-emergency line; 311: known
  municipality('quebec', m.municipality_quebec, police(m.police_spvq, '418-691-6911'), CALL_311),
  // halifax.ca/fire-police/police, 2021-04-14: if a call to police is needed; 311: itbusiness.ca: the CRTC gives 311 to Halifax
  // and others
  municipality('halifax', same('Halifax'), police(m.police_halifax_regional, '902-490-5020'), CALL_311),
  // 311: laval.ca: conseil municipal
  municipality('laval', same('Laval'), police(m.police_laval, null), CALL_311),
  // londonpolice.ca/services/9-1-1-emergency-calls-what-you-need-to-know
  municipality('london', same('London'), police(m.police_london, '519-661-5670'), cityHall('London')),
  // yrp.ca, 2023-06: non-emergency, on every page
  municipality('markham', same('Markham'), YORK, cityHall('Markham')),
  // yrp.ca, 2023-06: non-emergency, on every page; city: vaughan.ca/parking
  municipality('vaughan', same('Vaughan'), YORK, cityHall('Vaughan', '905-832-2281')),
  // gatineau.ca, news release of 2020-03-23 and page on reports to the SPVG; 311: itbusiness.ca: the CRTC gives 311 to Gatineau
  // and others
  municipality('gatineau', same('Gatineau'), police(m.police_gatineau, '819-246-0222'), CALL_311),
  // copsandbloggers.ca: When should you call 9-1-1?
  municipality('saskatoon', same('Saskatoon'), police(m.police_saskatoon, '306-975-8300'), cityHall('Saskatoon')),
  // wrps.ca: switchboard, on the page about compliments and complaints
  municipality(
    'kitchener',
    same('Kitchener'),
    police(m.police_waterloo_regional, '519-570-9777'),
    cityHall('Kitchener'),
  ),
]
