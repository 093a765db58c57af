import type { Locale } from '#contract/product.ts'

/** The background jobs by the names that the server gives them. */
export const JOB_NAMES: Record<Locale, Record<string, string>> = {
  en: {
    'deleting what is over': 'Deleting what is no longer kept',
    'tidying attachments': 'Deleting unused images',
    'deleting documents': 'Deleting documents of disputes',
    'settling overdue disputes': 'Ending overdue disputes',
    'deleting expired rate counters': 'Deleting counts against abuse',
    'forgetting who had a vehicle': 'Forgetting who had a vehicle',
    'counting accounts under their person': 'Counting accounts under their person',
    'counting what happened in a week': 'Counting the weeks of the dashboard',
    'copying deletions beside the database': 'Noting what was deleted, for backups',
  },
  'fr-CA': {
    'deleting what is over': 'Supprimer ce qui n’est plus conservé',
    'tidying attachments': 'Supprimer les images inutilisées',
    'deleting documents': 'Supprimer les documents des litiges',
    'settling overdue disputes': 'Clore les litiges échus',
    'deleting expired rate counters': 'Supprimer les compteurs contre les abus',
    'copying deletions beside the database': 'Noter ce qui a été supprimé, pour les sauvegardes',
    'forgetting who had a vehicle': 'Oublier qui avait un véhicule',
    'counting accounts under their person': 'Rattacher les comptes à leur personne',
    'counting what happened in a week': 'Compter les semaines du tableau de bord',
  },
}
