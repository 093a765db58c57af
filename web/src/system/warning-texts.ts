import type { HealthWarning } from '#contract/health.ts'
import type { Locale } from '#contract/product.ts'

type WarningText = { title: (subject: string) => string; toDo: string }

/** What is wrong, and what to do about it. The subject is the name of a job or of a process. */
export const WARNINGS: Record<Locale, Record<HealthWarning['code'], WarningText>> = {
  en: {
    no_worker: {
      title: () => 'No worker is running',
      toDo: 'Emails, notifications on devices and cleanups are waiting. Start a process with ROLE=worker or ROLE=all, and read its last log line if it stops.',
    },
    pool_exhausted: {
      title: (process) => `${process} waits for database connections`,
      toDo: 'Look for slow statements in the database, then raise DATABASE_POOL or start another web process.',
    },
    disk_low: {
      title: (process) => `The disk of ${process} is nearly full`,
      toDo: 'Less than 10% is free. Delete old logs and backups outside DATA_DIR, or enlarge the disk.',
    },
    mails_late: {
      title: () => 'Emails have been waiting for more than 5 minutes',
      toDo: 'Check that the mail server of SMTP_URL answers and accepts the login. Once it does, press “Send what is waiting now”.',
    },
    mails_failed: {
      title: () => 'Emails could not be delivered',
      toDo: 'Read the reasons below. Fix what can be fixed, then send them again; they are deleted after 30 days.',
    },
    pushes_late: {
      title: () => 'Notifications on devices are late',
      toDo: 'Check that the worker reaches the hosts of PUSH_HOSTS on port 443.',
    },
    job_failed: {
      title: (job) => `Failed: ${job}`,
      toDo: 'It is tried again at its next turn. If it keeps failing, its error is in the log of the worker.',
    },
    job_late: {
      title: (job) => `Not run for too long: ${job}`,
      toDo: 'Restart the worker, and read its log for the last run of this job.',
    },
    event_loop_slow: {
      title: (process) => `${process} is overloaded`,
      toDo: 'Its work waits for more than a quarter of a second. Start another process, or give it more processor.',
    },
    backup_failed: {
      title: () => 'The last backup failed',
      toDo: 'Run “platenote backup” by hand and read what it says.',
    },
    backup_unknown: {
      title: () => 'No backup is known',
      toDo: 'Have “platenote backup” run every day, and keep a copy of the keys apart from it.',
    },
    backup_old: {
      title: () => 'The last backup is older than 26 hours',
      toDo: 'Check that the daily “platenote backup” still runs.',
    },
    versions_differ: {
      title: () => 'The processes run different versions',
      toDo: 'Finish the upgrade: restart the processes of the older version.',
    },
  },
  'fr-CA': {
    no_worker: {
      title: () => 'Aucun processus de tâches de fond n’est actif',
      toDo: 'Les courriels, les notifications sur les appareils et les nettoyages attendent. Démarrez un processus avec ROLE=worker ou ROLE=all et, s’il s’arrête, lisez la dernière ligne de son journal.',
    },
    pool_exhausted: {
      title: (process) => `${process} attend des connexions à la base de données`,
      toDo: 'Cherchez les requêtes lentes dans la base de données, puis augmentez DATABASE_POOL ou démarrez un autre processus web.',
    },
    disk_low: {
      title: (process) => `Le disque de ${process} est presque plein`,
      toDo: 'Il reste moins de 10 % d’espace libre. Supprimez d’anciens journaux et d’anciennes sauvegardes hors de DATA_DIR, ou agrandissez le disque.',
    },
    mails_late: {
      title: () => 'Des courriels attendent depuis plus de 5 minutes',
      toDo: 'Vérifiez que le serveur de courriel de SMTP_URL répond et accepte la connexion. Ensuite, appuyez sur « Envoyer maintenant ce qui attend ».',
    },
    mails_failed: {
      title: () => 'Des courriels n’ont pas pu être livrés',
      toDo: 'Lisez les motifs ci-dessous, corrigez ce qui peut l’être, puis renvoyez-les; ils sont supprimés après 30 jours.',
    },
    pushes_late: {
      title: () => 'Les notifications sur les appareils sont en retard',
      toDo: 'Vérifiez que le processus de tâches de fond joint les hôtes de PUSH_HOSTS sur le port 443.',
    },
    job_failed: {
      title: (job) => `Échec : ${job}`,
      toDo: 'Un nouvel essai a lieu au prochain tour. Si l’échec persiste, l’erreur se trouve dans le journal du processus de tâches de fond.',
    },
    job_late: {
      title: (job) => `Pas exécuté depuis trop longtemps : ${job}`,
      toDo: 'Redémarrez le processus de tâches de fond et cherchez dans son journal la dernière exécution de cette tâche.',
    },
    event_loop_slow: {
      title: (process) => `${process} est surchargé`,
      toDo: 'Son travail attend plus d’un quart de seconde. Démarrez un autre processus, ou donnez-lui plus de puissance.',
    },
    backup_failed: {
      title: () => 'La dernière sauvegarde a échoué',
      toDo: 'Exécutez « platenote backup » à la main et lisez ce qui s’affiche.',
    },
    backup_unknown: {
      title: () => 'Aucune sauvegarde n’est connue',
      toDo: 'Faites exécuter « platenote backup » chaque jour, et gardez ailleurs une copie des clés.',
    },
    backup_old: {
      title: () => 'La dernière sauvegarde date de plus de 26 heures',
      toDo: 'Vérifiez que la sauvegarde quotidienne « platenote backup » a encore lieu.',
    },
    versions_differ: {
      title: () => 'Les processus n’ont pas tous la même version',
      toDo: 'Terminez la mise à niveau : redémarrez les processus de l’ancienne version.',
    },
  },
}
