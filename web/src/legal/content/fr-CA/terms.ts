import type { LegalText } from '~/legal/content/shape'

export const terms = {
  title: 'Conditions d’utilisation',
  description:
    'Les règles d’utilisation de PlateNote : qui peut s’en servir, ce qu’on peut y envoyer, comment se règle un litige sur une plaque et quelle loi s’applique.',
  version:
    'Version du 27 novembre 2026 : précise qu’un enregistrement peut être refusé automatiquement et réexaminé par une personne, qu’un message est conservé 12 mois, qu’un courriel au sujet d’un message en contient le texte, sauf si vous en décidez autrement, et qu’une modification qui vous retire des droits ou ajoute à vos obligations exige votre accord; formulation plus claire, aucune nouvelle obligation.',
  inShort: [
    'PlateNote est gratuit. Il faut avoir un compte et au moins 13 ans.',
    'Soyez sincère et courtois. Les menaces, le harcèlement, la publicité et les plaques qui ne sont pas les vôtres n’ont pas leur place ici.',
    'PlateNote n’est pas un service d’urgence. Si quelqu’un est en danger, appelez le 911.',
    'Vous pouvez supprimer votre compte quand vous le voulez.',
  ],
  sections: {
    acceptance: {
      title: 'Acceptation des conditions',
      blocks: [
        'Les présentes conditions forment une entente entre vous et {company} (« nous »), qui exploite ce service. Vous les acceptez en créant un compte ou en utilisant ce site Web. Si vous n’êtes pas d’accord, veuillez ne pas utiliser PlateNote.',
        'Vous devez avoir au moins 13 ans. Si vous n’avez pas atteint l’âge de la majorité là où vous vivez, votre parent ou votre tuteur doit aussi accepter ces conditions. Au Québec, une personne de 13 ans doit de plus obtenir le consentement du titulaire de l’autorité parentale ou de son tuteur avant de nous fournir des renseignements personnels.',
      ],
    },
    'service-description': {
      title: 'Description du service',
      blocks: [
        'PlateNote permet à une personne qui a un compte d’écrire au propriétaire d’un véhicule inscrit à PlateNote avec sa plaque d’immatriculation seulement. Le propriétaire reçoit un avis par courriel et sur ce site; il peut lire le message et y répondre une fois. Nous ne disons ni à l’un ni à l’autre qui est son correspondant.',
        [
          'Enregistrer des véhicules, envoyer des messages et y répondre est gratuit. L’enregistrement d’une plaque n’exige aucun document.',
          'On ne peut joindre une plaque que si quelqu’un l’a enregistrée ici et que l’enregistrement est actif. Nous ne cherchons personne dans les registres publics et n’agissons pour aucun service d’immatriculation, corps policier ou assureur.',
          'Un message parvient au compte qui a enregistré la plaque. Sauf en cas de litige, nous ne vérifions pas de qui il s’agit : un message peut donc atteindre quelqu’un qui n’est pas le propriétaire du véhicule.',
          'Un message est conservé 12 mois après son envoi ou la réponse, puis supprimé avec sa photo et sa réponse.',
          'Pour protéger les gens contre les abus et empêcher qu’on essaie les plaques l’une après l’autre, le nombre d’envois, d’enregistrements et de téléversements est limité pour chaque compte.',
        ],
        '**PlateNote n’est pas un service d’urgence.** Un message peut être lu tard, ou jamais. Si une personne ou un animal est en danger, appelez le 911.',
        '**Litiges sur une plaque.** Quand un second compte enregistre une plaque dans la même province, nous demandons aux deux personnes, par courriel, leur permis de conduire et le certificat d’immatriculation du véhicule, à fournir dans les 5 jours ouvrables.',
        [
          'Tant que le litige n’est pas réglé, la plaque ne reçoit aucun message, à moins que son premier propriétaire n’ait déjà été vérifié ou que la nouvelle revendication ne la suspende pas.',
          'La personne que nous confirmons obtient le statut « Compte PlateNote vérifié », et l’autre enregistrement prend fin.',
          'Si nous n’avons consigné à temps aucun document de la personne qui a enregistré la plaque en second, son enregistrement est refusé automatiquement. Elle peut demander qu’une personne revoie la décision.',
          'Quiconque enregistre plus tard une plaque vérifiée, par exemple après avoir acheté le véhicule, entame une nouvelle vérification.',
          'La {privacy|Politique de confidentialité} explique ce que nous faisons des documents.',
        ],
      ],
    },
    'user-responsibilities': {
      title: 'Vos responsabilités',
      blocks: [
        'En utilisant PlateNote, vous vous engagez :',
        [
          'à donner une adresse courriel qui fonctionne, à garder votre mot de passe pour vous et à nous avertir si quelqu’un d’autre s’est servi de votre compte;',
          'à n’enregistrer que des véhicules dont vous êtes propriétaire ou locataire, ou pour lesquels le propriétaire souhaite qu’on vous joigne;',
          'à retirer un véhicule quand vous le vendez ou que vous en rendez la plaque. Les messages qu’il a reçus disparaissent alors avec lui;',
          'à n’écrire que ce qui est vrai et utile à la personne qui vous lira, et à ne prendre de photos que d’un endroit où vous avez le droit d’être, sans montrer plus que nécessaire;',
          'à réfléchir avant de parler de vous. Ce que vous mettez dans un message ou montrez sur une photo, la personne qui le reçoit le saura;',
          'à ne jamais lire ni écrire de messages au volant.',
        ],
        'Après une collision, un message ici peut ne pas suffire. La loi peut vous obliger à vous arrêter, à donner votre nom et vos coordonnées ou à faire une déclaration à la police. PlateNote ne transmet ni votre nom ni votre adresse et ne peut donc pas le faire à votre place.',
      ],
    },
    'prohibited-conduct': {
      title: 'Conduites interdites',
      blocks: [
        'Il est interdit d’utiliser PlateNote pour :',
        [
          'menacer, harceler, traquer, humilier, discriminer ou tromper qui que ce soit;',
          'découvrir qui est un propriétaire ou un expéditeur, ou savoir où il habite, ou faire pression pour qu’il le dise;',
          'vous faire passer pour quelqu’un d’autre, comme la police, un service de stationnement, un assureur ou PlateNote;',
          'exiger de l’argent, faire de la publicité ou du recrutement, ou envoyer le même message à un grand nombre de personnes;',
          'envoyer des liens vers des logiciels malveillants ou de faux sites, ou tout contenu illégal, haineux ou sexuel;',
          'enregistrer une plaque pour en priver son propriétaire, ouvrir un litige sans raison valable, ou fournir des documents faux ou modifiés;',
          'essayer des plaques l’une après l’autre, recueillir des renseignements par des moyens automatisés ou contourner nos limites, notamment au moyen de plusieurs comptes;',
          'perturber le service ou accéder à des parties qui ne vous sont pas destinées. Si vous avez découvert une faille, veuillez nous en parler avant d’en parler à d’autres.',
        ],
        'Si vous recevez un message de ce genre, écrivez à {support} en indiquant à quelle plaque et à quel moment il est arrivé. Veuillez le garder jusqu’à notre réponse. Si vous vous sentez menacé, appelez d’abord la police.',
      ],
    },
    privacy: {
      title: 'Vie privée',
      blocks: [
        'La {privacy|Politique de confidentialité} décrit ce que nous recueillons, pourquoi, et ce que vous pouvez nous demander. Quatre points comptent surtout ici :',
        [
          'Le destinataire d’un message n’apprend jamais de nous qui l’a envoyé. Nous savons toutefois de quel compte il vient, et nous le communiquons quand la loi l’exige, par exemple en vertu d’une ordonnance d’un tribunal.',
          'Les messages, les réponses et les photos sont chiffrés en transit et au repos; PlateNote détient les clés.',
          'PlateNote ne conserve aucun document d’immatriculation. Nous ne demandons de documents que par courriel, et seulement en cas de litige sur une plaque; ceux que vous envoyez alors sont supprimés dès que la décision est prise.',
          'Un courriel au sujet d’un message en contient le texte, pour qu’il puisse être lu immédiatement, sauf si vous en décidez autrement dans votre {notificationChoices|profil}.',
        ],
      ],
    },
    'intellectual-property': {
      title: 'Propriété intellectuelle',
      blocks: [
        'Ce que vous écrivez et photographiez demeure à vous. Vous nous permettez de le conserver, d’en changer la forme technique (une photo est recréée et réduite, par exemple) et de le montrer à la personne à qui il est destiné, dans la mesure où le service l’exige et aussi longtemps qu’il est conservé. Nous n’en faisons rien d’autre.',
        'Le nom PlateNote, son logo, son design et ses textes nous appartiennent ou appartiennent à ceux qui nous permettent de les utiliser. Vous ne pouvez pas vous en servir d’une manière qui laisserait croire que nous appuyons ce que nous n’appuyons pas. Lorsque nous publions un logiciel sous une licence libre, cette licence s’applique au logiciel.',
      ],
    },
    disclaimers: {
      title: 'Exclusions et responsabilité',
      blocks: [
        'Nous exploitons PlateNote avec soin, mais nous l’offrons gratuitement et tel quel. Nous ne promettons pas qu’il soit toujours accessible, qu’un message arrive à temps, soit lu ou reçoive une réponse, ni que ce que d’autres écrivent soit vrai. Les messages ne sont pas examinés avant d’être livrés.',
        'Dans la mesure où la loi le permet, nous ne sommes responsables ni de ce que les utilisateurs font ou omettent de faire, ni des pertes indirectes qui découlent de l’utilisation de PlateNote ou de l’impossibilité de l’utiliser.',
        'Rien dans ces conditions ne vous retire les droits ou les recours que la loi ne permet pas d’écarter, notamment la responsabilité pour le préjudice corporel ou moral et pour la faute intentionnelle ou lourde, ainsi que les garanties légales et les protections dont les consommateurs bénéficient dans leur province. Au Québec, nous répondons de notre fait personnel comme la loi le prévoit.',
      ],
    },
    termination: {
      title: 'Fin de l’entente',
      blocks: [
        'Vous pouvez supprimer votre compte en tout temps dans votre {ownData|profil}, immédiatement et pour de bon. Vos véhicules disparaissent avec lui, de même que les messages qu’ils ont reçus. Jusqu’à la fin de sa durée de conservation, chaque message demeure chez l’autre personne, sans aucun lien avec vous : ceux que vous avez envoyés chez les personnes qui les ont reçus; ceux que vous avez reçus, avec vos réponses, chez les personnes qui les ont écrits.',
        'Nous pouvons refuser ou retirer l’enregistrement d’un véhicule, ou fermer un compte, lorsque ces conditions sont enfreintes gravement ou à répétition, que la loi l’exige ou qu’il faut protéger des gens. La personne dont l’enregistrement est refusé en apprend le motif. Si nous avons fermé votre compte, nous vous en donnons le motif sur demande, à moins que la loi ou la sécurité de quelqu’un ne s’y oppose. Écrivez à {support} si vous croyez que nous avons fait erreur : une personne réexaminera la décision.',
        'Si nous mettions un jour fin à PlateNote, nous l’annoncerions sur ce site au moins 30 jours à l’avance, afin que vous puissiez télécharger vos données. Les sections 6, 7 et 9 continuent de s’appliquer après la fin de l’entente.',
      ],
    },
    'governing-law': {
      title: 'Droit applicable',
      blocks: [
        'Ces conditions sont régies par les lois de l’Ontario et par les lois fédérales du Canada qui s’y appliquent. Les tribunaux de l’Ontario sont compétents.',
        'Si vous êtes un consommateur dans une autre province ou un territoire, vous conservez la protection de ses règles impératives et le droit de vous adresser à ses tribunaux. Au Québec, la Loi sur la protection du consommateur et les autres règles d’ordre public s’appliquent, quoi que disent ces conditions.',
        'Avant de vous adresser à un tribunal, veuillez écrire à {support} : la plupart des questions se règlent ainsi. Si un tribunal juge une partie de ces conditions invalide, le reste demeure. Les versions française et anglaise ont la même valeur.',
      ],
    },
    changes: {
      title: 'Modification des conditions',
      blocks: [
        'Nous pouvons modifier ces conditions quand le service ou la loi change, ou pour les rendre plus claires. La nouvelle version est publiée sur cette page, avec sa date. Si une modification vous retire des droits ou ajoute à vos obligations, PlateNote vous demande de l’accepter la prochaine fois que vous l’ouvrez. Tant que vous ne l’avez pas acceptée, la version que vous aviez acceptée s’applique. Si vous n’acceptez pas, vous pouvez télécharger vos données et supprimer votre compte sans frais. Ce qui s’est passé auparavant demeure régi par l’ancienne version.',
        'Des questions sur ces conditions? Écrivez à {support} ou utilisez {contact|notre formulaire}.',
      ],
    },
  },
} satisfies LegalText
