import type { Locale } from './product.ts'

/** A service to call. Where no number is known for sure it is null, and the name says whom to ask for. */
export type PhoneContact = { name: Record<Locale, string>; number: string | null; source: string }

export type Municipality = {
  id: string
  name: Record<Locale, string>
  /** For what is no emergency. */
  police: PhoneContact
  /** Parking and by-laws. */
  city: PhoneContact
  /** When the sources were last looked at. */
  checked: string
}

const CHECKED = '2026-11-23T12:00:00Z'
/** A number that the people who wrote this table know from its daily use, and that no stored page contradicts. */
const KNOWN = 'general knowledge, no page consulted'

const same = (name: string) => ({ en: name, 'fr-CA': name })
const police = (en: string, fr: string, number: string | null, source: string): PhoneContact => ({
  name: { en, 'fr-CA': fr },
  number,
  source,
})
const call311 = (source = KNOWN): PhoneContact => ({
  name: { en: 'the city', 'fr-CA': 'la Ville' },
  number: '311',
  source,
})
/** A city without 311, or where it is not known for sure. */
const cityHall = (city: string): PhoneContact => ({
  name: { en: `the City of ${city}`, 'fr-CA': `la Ville de ${city}` },
  number: null,
  source: 'no number was known for sure',
})

/**
 * Whom a sender can call when nobody answers, in the 20 largest municipalities by the census of 2021. Each number
 * has its source; one that was not sure is left out, and the service named instead. docs/legal-notes.md says how it is kept.
 */
export const MUNICIPALITIES: readonly Municipality[] = [
  {
    id: 'toronto',
    name: same('Toronto'),
    police: police(
      'Toronto Police',
      'Police de Toronto',
      '416-808-2222',
      'toronto.citynews.ca, 2025-08-07: Toronto police non-emergency phone number',
    ),
    city: call311('itbusiness.ca: the CRTC gives 311 to Toronto and others'),
    checked: CHECKED,
  },
  {
    id: 'montreal',
    name: same('Montréal'),
    police: police('SPVM', 'SPVM', '514-280-2222', 'spvm.qc.ca/en/Fiches/Details/911: general information'),
    city: call311('spvm.qc.ca/en/Fiches/Details/911: municipal services'),
    checked: CHECKED,
  },
  {
    id: 'calgary',
    name: same('Calgary'),
    police: police(
      'Calgary Police',
      'Police de Calgary',
      '403-266-1234',
      'engage.calgary.ca/CPSServiceDelivery: non-emergency line',
    ),
    city: call311('itbusiness.ca: the CRTC gives 311 to Calgary and others'),
    checked: CHECKED,
  },
  {
    id: 'ottawa',
    name: same('Ottawa'),
    police: police(
      'Ottawa Police',
      'Police d’Ottawa',
      '613-236-1222',
      'mckellarparkcommunity.wordpress.com, 2017-05-19: Who do you call?',
    ),
    city: call311('shadqadri.com, 2016-07-15: 2-1-1, 3-1-1, 4-1-1 and 9-1-1'),
    checked: CHECKED,
  },
  {
    id: 'edmonton',
    name: same('Edmonton'),
    police: police(
      'Edmonton Police',
      'Police d’Edmonton',
      '780-423-4567',
      'edmontonpolice.ca, 2020: Police Dispatch, complaint line',
    ),
    city: call311('edmonton.ca: Enforcement officers, professional standards'),
    checked: CHECKED,
  },
  {
    id: 'winnipeg',
    name: same('Winnipeg'),
    police: police(
      'Winnipeg Police',
      'Police de Winnipeg',
      '204-986-6222',
      'globalnews.ca/news/6698270, 2020-03-18: police non-emergency number',
    ),
    city: call311('pilipino-express.com, 2009: 311, the number to call'),
    checked: CHECKED,
  },
  {
    id: 'mississauga',
    name: same('Mississauga'),
    police: police(
      'Peel Regional Police',
      'Police régionale de Peel',
      '905-453-3311',
      'locallove.ca: When do you dial 911?; torontosun.com, 2020: non-emergency line',
    ),
    city: call311('stephendasko.com, 2020: 3-1-1 holiday hours'),
    checked: CHECKED,
  },
  {
    id: 'vancouver',
    name: same('Vancouver'),
    police: police(
      'Vancouver Police',
      'Police de Vancouver',
      '604-717-3321',
      'hastingssunrisecpc.com, 2024: Non-emergency calls made easier',
    ),
    city: call311('southgranville.org: City of Vancouver 3-1-1'),
    checked: CHECKED,
  },
  {
    id: 'brampton',
    name: same('Brampton'),
    police: police(
      'Peel Regional Police',
      'Police régionale de Peel',
      '905-453-3311',
      'locallove.ca: When do you dial 911?; torontosun.com, 2020: non-emergency line',
    ),
    city: call311(),
    checked: CHECKED,
  },
  {
    id: 'hamilton',
    name: same('Hamilton'),
    police: police(
      'Hamilton Police',
      'Police de Hamilton',
      '905-546-4925',
      'hamiltonpolice.on.ca/about/human-rights-policing-hamilton: non-emergencies',
    ),
    city: cityHall('Hamilton'),
    checked: CHECKED,
  },
  {
    id: 'surrey',
    name: same('Surrey'),
    police: police(
      'the police in Surrey',
      'la police à Surrey',
      '604-599-0502',
      'surrey.ca/about-surrey/surrey-policing-transition, 2024: stays the same',
    ),
    city: cityHall('Surrey'),
    checked: CHECKED,
  },
  {
    id: 'quebec',
    name: { en: 'Québec City', 'fr-CA': 'Québec' },
    police: police(
      'SPVQ',
      'SPVQ',
      '418-691-6911',
      'Service de police de la Ville de Québec, news release on its new non-emergency line',
    ),
    city: call311(),
    checked: CHECKED,
  },
  {
    id: 'halifax',
    name: same('Halifax'),
    police: police(
      'Halifax Regional Police',
      'Police régionale de Halifax',
      '902-490-5020',
      'halifax.ca/fire-police/police, 2021-04-14: if a call to police is needed',
    ),
    city: call311('itbusiness.ca: the CRTC gives 311 to Halifax and others'),
    checked: CHECKED,
  },
  {
    id: 'laval',
    name: same('Laval'),
    police: police('Laval Police', 'Service de police de Laval', null, 'no number was known for sure'),
    city: call311('laval.ca: conseil municipal'),
    checked: CHECKED,
  },
  {
    id: 'london',
    name: same('London'),
    police: police(
      'London Police',
      'Police de London',
      '519-661-5670',
      'londonpolice.ca/services/9-1-1-emergency-calls-what-you-need-to-know',
    ),
    city: cityHall('London'),
    checked: CHECKED,
  },
  {
    id: 'markham',
    name: same('Markham'),
    police: police(
      'York Regional Police',
      'Police régionale de York',
      '1-866-876-5423',
      'yrp.ca, 2023-06: non-emergency, on every page',
    ),
    city: cityHall('Markham'),
    checked: CHECKED,
  },
  {
    id: 'vaughan',
    name: same('Vaughan'),
    police: police(
      'York Regional Police',
      'Police régionale de York',
      '1-866-876-5423',
      'yrp.ca, 2023-06: non-emergency, on every page',
    ),
    city: { ...cityHall('Vaughan'), number: '905-832-2281', source: 'vaughan.ca/parking' },
    checked: CHECKED,
  },
  {
    id: 'gatineau',
    name: same('Gatineau'),
    police: police(
      'Gatineau Police',
      'Police de Gatineau',
      '819-246-0222',
      'gatineau.ca, news release of 2020-03-23 and page on reports to the SPVG',
    ),
    city: call311('itbusiness.ca: the CRTC gives 311 to Gatineau and others'),
    checked: CHECKED,
  },
  {
    id: 'saskatoon',
    name: same('Saskatoon'),
    police: police(
      'Saskatoon Police',
      'Police de Saskatoon',
      '306-975-8300',
      'copsandbloggers.ca: When should you call 9-1-1?',
    ),
    city: cityHall('Saskatoon'),
    checked: CHECKED,
  },
  {
    id: 'kitchener',
    name: same('Kitchener'),
    police: police(
      'Waterloo Regional Police',
      'Police régionale de Waterloo',
      '519-570-9777',
      'wrps.ca: switchboard, on the page about compliments and complaints',
    ),
    city: cityHall('Kitchener'),
    checked: CHECKED,
  },
]
