import type { AccessibilityText } from '~/legal/content/shape'

export const accessibility = {
  title: 'Accessibilité',
  description:
    'Ce que PlateNote fait pour que tout le monde puisse s’en servir, ce qui ne fonctionne pas encore, et comment nous le dire.',
  intro:
    'Tout le monde devrait pouvoir joindre le propriétaire d’un véhicule, et être joint, quel que soit l’appareil ou l’aide utilisés.',
  sections: [
    {
      title: 'Ce que nous visons',
      blocks: [
        'PlateNote suit les Règles pour l’accessibilité des contenus Web (WCAG) 2.2, niveau AA. Un programme vérifie certaines pages avant chaque changement, et régulièrement toutes, dans les deux langues, les deux thèmes et plusieurs largeurs; les tâches principales sont essayées au clavier seul.',
        [
          'Tout fonctionne au clavier et avec un lecteur d’écran.',
          'Le texte peut être agrandi à 400 % sans défilement horizontal.',
          'Rien ne repose sur la couleur seule, et les animations s’arrêtent si votre appareil le demande.',
          'Les pages publiques et le formulaire de contact fonctionnent sans scripts.',
        ],
      ],
    },
    {
      title: 'Ce qui ne fonctionne pas encore',
      blocks: [
        [
          'La photo d’un message n’a pas de description : nous n’en demandons pas à la personne qui l’envoie.',
          'Le code servant à configurer une application d’authentification est une image; le même code figure à côté en texte.',
          'PlateNote n’a pas encore été évalué par des personnes qui utilisent chaque jour des technologies d’assistance.',
        ],
      ],
    },
    {
      title: 'En cas d’urgence',
      blocks: [
        'Si quelqu’un est en danger, appelez le 911. Vous ne pouvez pas parler ou entendre? Texto au 9-⁠1-⁠1 permet d’écrire au téléphoniste, une fois inscrit auprès de votre fournisseur de téléphonie.',
      ],
    },
    {
      title: 'Nous écrire, ou demander un autre format',
      blocks: [
        'Quelque chose vous gêne, ou vous avez besoin d’une page, d’un message ou de vos données dans un autre format? Écrivez à {support}, ou utilisez {contact|notre formulaire}. Vous recevez une réponse dans les 30 jours, gratuitement.',
      ],
    },
  ],
} satisfies AccessibilityText
