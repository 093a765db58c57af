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
  basis: DutyBasis
  /** What the screen says, in this order. */
  steps: readonly Record<Locale, string>[]
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

/**
 * The duties of somebody who hits a parked vehicle, by province (decision collision-messages). What
 * they rest on, and what a lawyer has to confirm, is in docs/legal-notes.md.
 */
export const COLLISION_DUTIES: Record<Province, ProvinceDuties> = {
  Alberta: {
    statute: {
      en: 'Traffic Safety Act, R.S.A. 2000, c. T-6',
      'fr-CA': 'Traffic Safety Act (Alberta), R.S.A. 2000, c. T-6',
    },
    sections: '69, 71',
    basis: 'report',
    steps: [
      {
        en: 'Find the owner, or leave a written notice where they will see it: your name, address, driver’s licence number and plate.',
        'fr-CA':
          'Trouvez le propriétaire ou laissez un avis écrit bien en vue : vos nom et adresse, le numéro de votre permis de conduire et votre plaque.',
      },
      SERIOUS,
    ],
  },
  'British Columbia': {
    statute: {
      en: 'Motor Vehicle Act, R.S.B.C. 1996, c. 318',
      'fr-CA': 'Motor Vehicle Act (Colombie-Britannique), R.S.B.C. 1996, c. 318',
    },
    sections: '68',
    basis: 'report',
    steps: [
      {
        en: 'Find the owner and tell them in writing, or leave a written notice where they will see it: your name and address, the registered owner’s name and address, and your plate.',
        'fr-CA':
          'Trouvez le propriétaire et informez-le par écrit, ou laissez un avis écrit bien en vue : vos nom et adresse, ceux du propriétaire inscrit de votre véhicule, et votre plaque.',
      },
      {
        en: 'If someone asks for it, also give the particulars of your insurance.',
        'fr-CA': 'Si quelqu’un le demande, donnez aussi les renseignements sur vos assurances.',
      },
    ],
  },
  Manitoba: {
    statute: {
      en: 'The Highway Traffic Act, C.C.S.M. c. H60',
      'fr-CA': 'Code de la route (Manitoba), C.P.L.M. c. H60',
    },
    sections: '155',
    basis: 'statute',
    steps: [
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
    ],
  },
  'New Brunswick': {
    statute: {
      en: 'Motor Vehicle Act, R.S.N.B. 1973, c. M-17',
      'fr-CA': 'Loi sur les véhicules à moteur (Nouveau-Brunswick), L.R.N.-B. 1973, c. M-17',
    },
    sections: '125 to 129',
    basis: 'open',
    steps: [GIVE_TO_OWNER, ASK_THE_POLICE, SERIOUS],
  },
  'Newfoundland and Labrador': {
    statute: {
      en: 'Highway Traffic Act, R.S.N.L. 1990, c. H-3',
      'fr-CA': 'Highway Traffic Act (Terre-Neuve-et-Labrador), R.S.N.L. 1990, c. H-3',
    },
    sections: 'not found',
    basis: 'open',
    steps: [GIVE_TO_OWNER, ASK_THE_POLICE, SERIOUS],
  },
  'Nova Scotia': {
    statute: {
      en: 'Motor Vehicle Act, R.S.N.S. 1989, c. 293',
      'fr-CA': 'Motor Vehicle Act (Nouvelle-Écosse), R.S.N.S. 1989, c. 293',
    },
    sections: '97',
    basis: 'open',
    steps: [GIVE_TO_OWNER, ASK_THE_POLICE, SERIOUS],
  },
  Ontario: {
    statute: {
      en: 'Highway Traffic Act, R.S.O. 1990, c. H.8',
      'fr-CA': 'Code de la route (Ontario), L.R.O. 1990, c. H.8',
    },
    sections: '199, 200',
    basis: 'report',
    steps: [
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
    ],
  },
  'Prince Edward Island': {
    statute: {
      en: 'Highway Traffic Act, R.S.P.E.I. 1988, c. H-5',
      'fr-CA': 'Highway Traffic Act (Île-du-Prince-Édouard), R.S.P.E.I. 1988, c. H-5',
    },
    sections: 'not found',
    basis: 'open',
    steps: [
      GIVE_TO_OWNER,
      ASK_THE_POLICE,
      {
        en: 'Report it to the police immediately if someone is hurt or the damage is serious.',
        'fr-CA': 'Signalez l’accident à la police immédiatement s’il y a un blessé ou des dommages importants.',
      },
    ],
  },
  Quebec: {
    statute: {
      en: 'Highway Safety Code, CQLR c. C-24.2',
      'fr-CA': 'Code de la sécurité routière, RLRQ c. C-24.2',
    },
    sections: '168 to 171',
    basis: 'report',
    steps: [
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
    ],
  },
  Saskatchewan: {
    statute: {
      en: 'The Traffic Safety Act, S.S. 2004, c. T-18.1',
      'fr-CA': 'The Traffic Safety Act (Saskatchewan), S.S. 2004, c. T-18.1',
    },
    sections: '253, 254',
    basis: 'report',
    steps: [
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
    ],
  },
}

/** Returns all that the screen says about a province, in order. */
export const dutiesFor = (province: Province, locale: Locale): string[] =>
  [FIRST_DUTY, ...COLLISION_DUTIES[province].steps].map((step) => step[locale])
