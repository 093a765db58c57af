import type { Locale } from './product.ts'
import type { Province } from './provinces.ts'

/**
 * How far the duties of a province could be established: the text of the law was read, others report what it says, or
 * neither says what is to be done when the owner is absent.
 */
type DutyBasis = 'statute' | 'report' | 'open'

type ProvinceDuties = {
  statute: Record<Locale, string>
  sections: string
  /** Where the law is published; for the paper, not for the screen: a link that leads nowhere helps nobody at the kerb. */
  law: string
  basis: DutyBasis
  /** What was read, and what it says. */
  read: string
  /** What a lawyer has to confirm. */
  counsel: string
  /** What the screen says, in this order. */
  steps: Record<Locale, readonly string[]>
}

/** When all sources were looked at. */
export const DUTIES_LOOKED_AT = '2026-11-23'

/** Said first in every province. Criminal Code, R.S.C. 1985, c. C-46, s. 320.16: stop, give name and address, help. */
export const FIRST_DUTY: Record<Locale, string> = {
  en: 'Stay at the scene. If someone is hurt, call 911.',
  'fr-CA': 'Restez sur les lieux. S’il y a un blessé, appelez le 911.',
}

/** Said where it could not be established what is to be done when the owner is absent. It does no harm anywhere. */
const ASK_THE_POLICE: Record<Locale, string> = {
  en: 'If you cannot find the owner, call the local police (not 911) and ask what you have to do.',
  'fr-CA':
    'Si vous ne trouvez pas le propriétaire, appelez la police locale (pas le 911) et demandez ce que vous devez faire.',
}
const GIVE_TO_OWNER: Record<Locale, string> = {
  en: 'Find the owner, and give them in writing your name, address, plate and insurance.',
  'fr-CA': 'Trouvez le propriétaire et donnez-lui par écrit votre nom, votre adresse, votre plaque et vos assurances.',
}
const SERIOUS: Record<Locale, string> = {
  en: 'Report it to the police if someone is hurt or the damage is serious.',
  'fr-CA': 'Signalez l’accident à la police s’il y a un blessé ou des dommages importants.',
}

const steps = (...list: Record<Locale, string>[]): Record<Locale, readonly string[]> => ({
  en: list.map(({ en }) => en),
  'fr-CA': list.map((step) => step['fr-CA']),
})

const OPEN = 'What is to be done when the owner of a parked vehicle is absent, with its section; the amount of damage.'

/**
 * The duties of somebody who hits a parked vehicle, by province (decision collision-messages). The screen shows
 * the steps; the rest is what they rest on, for whoever reads the law again.
 */
export const COLLISION_DUTIES: Record<Province, ProvinceDuties> = {
  Alberta: {
    statute: {
      en: 'Traffic Safety Act, R.S.A. 2000, c. T-6',
      'fr-CA': 'Traffic Safety Act (Alberta), R.S.A. 2000, c. T-6',
    },
    sections: '69, 71',
    law: 'https://kings-printer.alberta.ca/documents/Acts/t06.pdf',
    basis: 'report',
    read: 'The province’s page on collisions (alberta.ca/collisions.aspx: notify the owner of an unattended vehicle; if they cannot be found, attach name, address, driver’s licence number, plate and phone number to it; police above $2,000 of damage). A lawyer’s page (wilsoncriminaldefence.com/practice-areas/criminal-offences/hit-and-run: failing to notify the owner of an unattended vehicle is an offence) and a newspaper (stalbertgazette.com, 2016-06-29: written notice in a conspicuous place with name, address, licence number, plate).',
    counsel: 'The wording of s. 69(2), and from which amount the police must be told (s. 71 and its regulation).',
    steps: steps(
      {
        en: 'Find the owner, or leave a written notice where they will see it: your name, address, driver’s licence number and plate.',
        'fr-CA':
          'Trouvez le propriétaire ou laissez un avis écrit bien en vue : vos nom et adresse, le numéro de votre permis de conduire et votre plaque.',
      },
      SERIOUS,
    ),
  },
  'British Columbia': {
    statute: {
      en: 'Motor Vehicle Act, R.S.B.C. 1996, c. 318',
      'fr-CA': 'Motor Vehicle Act (Colombie-Britannique), R.S.B.C. 1996, c. 318',
    },
    sections: '68',
    law: 'https://www.bclaws.gov.bc.ca/civix/document/id/complete/statreg/96318_00',
    basis: 'report',
    read: 'A law firm’s page that gives s. 68 (criminallawyervancouver.com/practice-areas/driving-offences/hit-run) and Clicklaw Wikibooks, ‘Duties after a Motor Vehicle Collision’ (reviewed August 2024).',
    counsel: 'The present wording of s. 68(2), and whether a message can ever be the notice in writing.',
    steps: steps(
      {
        en: 'Find the owner and tell them in writing, or leave a written notice where they will see it: your name and address, the registered owner’s name and address, and your plate.',
        'fr-CA':
          'Trouvez le propriétaire et informez-le par écrit, ou laissez un avis écrit bien en vue : vos nom et adresse, ceux du propriétaire inscrit de votre véhicule, et votre plaque.',
      },
      {
        en: 'If someone asks for it, also give the particulars of your insurance.',
        'fr-CA': 'Si quelqu’un le demande, donnez aussi les renseignements sur vos assurances.',
      },
    ),
  },
  Manitoba: {
    statute: {
      en: 'The Highway Traffic Act, C.C.S.M. c. H60',
      'fr-CA': 'Code de la route (Manitoba), C.P.L.M. c. H60',
    },
    sections: '155',
    law: 'https://web2.gov.mb.ca/laws/statutes/ccsm/h060.php?lang=en',
    basis: 'statute',
    read: 'S.M. 2011, c. 27, which replaced s. 155 (web2.gov.mb.ca/laws/statutes/2011/c02711e.php; its first subsections only), and the Driver’s Handbook of Manitoba Public Insurance (apps.mpi.mb.ca/comms/drivershandbook/collision.html).',
    counsel:
      'The subsection about unattended vehicles (other pages say: leave the particulars in a conspicuous place), and amendments since 2011.',
    steps: steps(
      {
        en: 'Give the owner without delay: your name and address, your driver’s licence, the registration of your vehicle, and its insurance.',
        'fr-CA':
          'Donnez sans tarder au propriétaire : vos nom et adresse, votre permis de conduire, l’immatriculation de votre véhicule et ses assurances.',
      },
      {
        en: 'Report it to the police within seven days if someone was seriously hurt, or if you could not exchange these particulars.',
        'fr-CA':
          'Signalez l’accident à la police dans les sept jours s’il y a un blessé grave ou si vous n’avez pas pu échanger ces renseignements.',
      },
    ),
  },
  'New Brunswick': {
    statute: {
      en: 'Motor Vehicle Act, R.S.N.B. 1973, c. M-17',
      'fr-CA': 'Loi sur les véhicules à moteur (Nouveau-Brunswick), L.R.N.-B. 1973, c. M-17',
    },
    sections: '125 to 129',
    law: 'https://laws.gnb.ca/en/document/cs/M-17',
    basis: 'open',
    read: 'recordinglaw.com/canada/new-brunswick-hit-and-run-laws: name, address and registration number to the owner; ss. 125 to 129 named, not quoted.',
    counsel: OPEN,
    steps: steps(GIVE_TO_OWNER, ASK_THE_POLICE, SERIOUS),
  },
  'Newfoundland and Labrador': {
    statute: {
      en: 'Highway Traffic Act, R.S.N.L. 1990, c. H-3',
      'fr-CA': 'Highway Traffic Act (Terre-Neuve-et-Labrador), R.S.N.L. 1990, c. H-3',
    },
    sections: 'not found',
    law: 'https://www.assembly.nl.ca/legislation/sr/statutes/h03.htm',
    basis: 'open',
    read: 'Nothing about collisions could be read.',
    counsel: OPEN,
    steps: steps(GIVE_TO_OWNER, ASK_THE_POLICE, SERIOUS),
  },
  'Nova Scotia': {
    statute: {
      en: 'Motor Vehicle Act, R.S.N.S. 1989, c. 293',
      'fr-CA': 'Motor Vehicle Act (Nouvelle-Écosse), R.S.N.S. 1989, c. 293',
    },
    sections: '97',
    law: 'https://nslegislature.ca/sites/default/files/legc/statutes/motor%20vehicle.pdf',
    basis: 'open',
    read: 'Two news releases of the province (novascotia.ca/news/release/?id=20130430006 and ?id=20130523003: police from $2,000 of damage, in effect since May 2013); recordinglaw.com/canada/nova-scotia-hit-and-run-laws (s. 97: stop, give name, address and registration; what it says of unattended vehicles could not be read).',
    counsel: OPEN,
    steps: steps(GIVE_TO_OWNER, ASK_THE_POLICE, SERIOUS),
  },
  Ontario: {
    statute: {
      en: 'Highway Traffic Act, R.S.O. 1990, c. H.8',
      'fr-CA': 'Code de la route (Ontario), L.R.O. 1990, c. H.8',
    },
    sections: '199, 200',
    law: 'https://www.ontario.ca/laws/statute/90h08',
    basis: 'report',
    read: 's. 199 as quoted by riverview.legal (‘Duty to Report Accidents’); the amount of R.R.O. 1990, Reg. 596, $5,000 since 2025-01-01, by the police (doppleronline.ca, OPP); s. 200 by a police column (Independent & Free Press, 2007-01-12).',
    counsel:
      'The wording of s. 200, and what it asks when the owner is absent: it speaks of giving particulars on request.',
    steps: steps(
      {
        en: 'The owner is entitled to have in writing: your name and address, your driver’s licence number, your insurer and policy number, your plate, and the registered owner’s name and address.',
        'fr-CA':
          'Le propriétaire a droit, par écrit, à ceci : vos nom et adresse, le numéro de votre permis de conduire, votre assureur et le numéro de votre police, votre plaque, ainsi que les nom et adresse du propriétaire inscrit.',
      },
      {
        en: 'Report it to the police right away if someone is hurt or the damage is serious.',
        'fr-CA': 'Signalez l’accident à la police immédiatement s’il y a un blessé ou des dommages importants.',
      },
      ASK_THE_POLICE,
    ),
  },
  'Prince Edward Island': {
    statute: {
      en: 'Highway Traffic Act, R.S.P.E.I. 1988, c. H-5',
      'fr-CA': 'Highway Traffic Act (Île-du-Prince-Édouard), R.S.P.E.I. 1988, c. H-5',
    },
    sections: 'not found',
    law: 'https://www.princeedwardisland.ca/en/legislation/highway-traffic-act',
    basis: 'open',
    read: 'The province’s page on collisions (princeedwardisland.ca/en/information/transportation-infrastructure-and-energy/collisions): police immediately if someone is hurt or the damage apparently exceeds $2,000; which particulars to exchange.',
    counsel: OPEN,
    steps: steps(GIVE_TO_OWNER, ASK_THE_POLICE, {
      en: 'Report it to the police immediately if someone is hurt or the damage is serious.',
      'fr-CA': 'Signalez l’accident à la police immédiatement s’il y a un blessé ou des dommages importants.',
    }),
  },
  Quebec: {
    statute: {
      en: 'Highway Safety Code, CQLR c. C-24.2',
      'fr-CA': 'Code de la sécurité routière, RLRQ c. C-24.2',
    },
    sections: '168 to 171',
    law: 'https://www.legisquebec.gouv.qc.ca/en/document/cs/C-24.2',
    basis: 'report',
    read: 'Sections 168 to 171 as an earlier legal reading of this product reports them: the owner of an unoccupied vehicle who cannot be reached at the scene makes it a matter for the police. The consolidated Code was found, its ss. 168 to 171 not opened.',
    counsel: 'The wording of s. 171, and of the particulars in s. 170.',
    steps: steps(
      {
        en: 'If the owner is not there, you must call the police right away. Neither a paper on the windshield nor this message replaces that call.',
        'fr-CA':
          'Si le propriétaire est absent, vous devez appeler la police immédiatement. Ni un papier sur le pare-brise ni ce message ne remplacent cet appel.',
      },
      {
        en: 'Give the owner or the police officer your name and address, your driver’s licence, the registration of your vehicle and your insurance.',
        'fr-CA':
          'Donnez au propriétaire ou à l’agent vos nom et adresse, votre permis de conduire, l’immatriculation de votre véhicule et vos assurances.',
      },
    ),
  },
  Saskatchewan: {
    statute: {
      en: 'The Traffic Safety Act, S.S. 2004, c. T-18.1',
      'fr-CA': 'The Traffic Safety Act (Saskatchewan), S.S. 2004, c. T-18.1',
    },
    sections: '253, 254',
    law: 'https://publications.saskatchewan.ca/',
    basis: 'report',
    read: 'recordinglaw.com/canada/saskatchewan-hit-and-run-laws (s. 254(2): tell the owner, with name, address, licence, registration, insurance); usask.ca/protectiveservices (when the police have to be told, since 2002).',
    counsel: 'The wording of ss. 253 and 254, and the address of the consolidated Act.',
    steps: steps(
      {
        en: 'Tell the owner right away, with your name, address, driver’s licence number, registration number and insurance.',
        'fr-CA':
          'Avisez immédiatement le propriétaire et donnez-lui vos nom et adresse, le numéro de votre permis de conduire, votre numéro d’immatriculation et vos assurances.',
      },
      {
        en: 'Report it to the police if someone is hurt, a vehicle has to be towed, or one is from outside Saskatchewan.',
        'fr-CA':
          'Signalez l’accident à la police s’il y a un blessé, si un véhicule doit être remorqué ou s’il vient de l’extérieur de la Saskatchewan.',
      },
      ASK_THE_POLICE,
    ),
  },
}

/** Returns all that the screen says about a province, in order. */
export const dutiesFor = (province: Province, locale: Locale): string[] => [
  FIRST_DUTY[locale],
  ...COLLISION_DUTIES[province].steps[locale],
]
