import type { LegalText } from '~/legal/content/shape'

export const privacy = {
  title: 'Politique de confidentialité',
  description:
    'Ce que PlateNote recueille et pourquoi, qui peut le voir, combien de temps il le garde, et comment consulter, corriger, télécharger ou supprimer vos renseignements.',
  version:
    'Version du 27 novembre 2026 : précise que les courriels au sujet de messages et de réponses en contiennent le texte, sauf si vous en décidez autrement, ce qui n’est pas chiffré, ce que nous laissent les cartes et les mots de pare-brise, les personnes d’un véhicule et les collisions, comment fonctionnent les blocages, les signalements, les décisions au sujet de personnes et les refus automatiques, combien de temps chaque chose est conservée, comment change une adresse courriel, comment vous apprenez les changements, et qu’une sauvegarde peut être conservée plus longtemps quand la loi l’exige; formulation plus claire.',
  inShort: [
    'La personne qui lit votre message n’apprend jamais de nous qui vous êtes, et vous n’apprenez jamais qui elle est.',
    'Les messages, les réponses et les photos sont chiffrés en transit et au repos; PlateNote détient les clés. Un courriel au sujet d’un message en contient le texte, sauf si vous en décidez autrement.',
    'Aucun témoin, aucune publicité, aucun pistage. Nous ne vendons pas de renseignements personnels.',
    'Vous pouvez en tout temps télécharger ce qui est conservé avec votre compte, ou supprimer votre compte.',
  ],
  sections: {
    introduction: {
      title: 'Introduction',
      blocks: [
        'Cette politique vise le site Web de PlateNote ainsi que les courriels et les notifications que nous envoyons. Elle est rédigée pour respecter la loi fédérale sur la protection des renseignements personnels et les documents électroniques (LPRPDE), la Loi sur la protection des renseignements personnels dans le secteur privé du Québec (modifiée par la Loi 25) et les lois semblables de l’Alberta et de la Colombie-Britannique.',
        'Une personne, chez PlateNote, est responsable de la protection des renseignements personnels. Vous pouvez lui écrire au sujet de tout ce qui figure sur cette page :',
        { personInCharge: 'Responsable de la protection des renseignements personnels' },
      ],
    },
    'information-collected': {
      title: 'Renseignements recueillis',
      blocks: [
        'Vous nous donnez ces renseignements, ou ils sont créés quand vous utilisez PlateNote. Nous n’en achetons pas et ne cherchons personne dans les registres d’immatriculation.',
        [
          '**Votre compte.** Adresse courriel, nom complet, mot de passe (seulement sous forme de hachage, qui ne permet pas de le retrouver), vos choix de langue, de courriels et de notifications, vos heures de silence et votre fuseau horaire si vous les réglez, les dates de votre inscription et de votre dernière connexion, ainsi que, pendant 90 jours, celles où vous avez enregistré une plaque que quelqu’un d’autre avait déjà.',
          '**Vos véhicules.** Plaque, province, marque, modèle, année, et si l’enregistrement est actif.',
          '**Messages.** La plaque, ce que vous avez écrit et le motif choisi, la photo, l’heure, le fait que le message a été lu ou non, la réponse et le compte qui l’a envoyé. Un message adressé à une plaque que personne n’a enregistrée n’est pas conservé, sauf si vous le laissez sous forme de mot.',
          '**Mots et cartes sur un pare-brise.** Un mot ne s’ouvre qu’avec son code et la plaque; nous ne conservons ni l’un ni l’autre, et sans eux, personne ne peut le lire, pas même nous. Qui se sert de la carte d’un véhicule choisit parmi nos phrases et ne nous donne rien d’autre : nous conservons un code pour son navigateur et un autre pour son réseau, afin que les limites, les blocages et les signalements tiennent.',
          '**Collisions.** Si vous dites avoir heurté un véhicule, le nom, le numéro de téléphone et les autres renseignements que vous inscrivez sur la fiche, avec ses photos. Si vous proposez de témoigner, la façon de vous joindre, quand vous acceptez de la donner.',
          '**Les personnes d’un véhicule.** Qui le conduit à part son propriétaire, qui l’a en ce moment (jamais qui l’avait avant) et les invitations en cours.',
          '**Photos.** Chacune est recréée avant d’être conservée : le lieu de la prise de vue, les détails de l’appareil, le nom du fichier et tout ce qui s’y cachait disparaissent.',
          '**Vos connexions.** Pour chacune, la description que votre navigateur donne de lui-même, l’adresse IP, le moment où elle a commencé et celui où elle a servi pour la dernière fois.',
          '**Compteurs contre les abus.** Combien de fois un compte, une boîte courriel ou un réseau a récemment fait quelque chose, sous un code qui ne montre pas de qui il s’agit. Ces compteurs survivent à la suppression du compte, afin qu’elle ne remette aucune limite à zéro.',
          '**Notifications sur un appareil.** Si vous les activez, l’adresse à laquelle le service de votre navigateur joint cet appareil.',
          '**Le formulaire de contact.** Nom, adresse courriel, sujet, message et langue.',
          '**Litiges sur une plaque.** Un permis de conduire et un certificat d’immatriculation, demandés par courriel. Vous les envoyez en répondant à ce courriel ou, scellés, par la page de votre véhicule, où seul l’administrateur qui décide peut les ouvrir. Nous vous demandons de masquer ce dont nous n’avons pas besoin.',
          '**Blocages et signalements.** De qui vous ne voulez plus rien recevoir, sous un code; ce que vous avez signalé, et pourquoi. Un message signalé est copié, avec sa photo et sa réponse, sous une clé qui lui est propre, afin qu’il puisse être examiné même quand il a disparu.',
          '**Ce que vous avez accepté.** La version de nos conditions, la langue et le moment, ainsi que votre déclaration sur votre âge.',
        ],
        'Nous ne vous demandons ni où vous êtes, ni de données de paiement, ni votre numéro de téléphone, sauf sur la fiche d’une collision. Vous êtes libre de ne rien nous donner; sans adresse courriel, il n’y a pas de compte, et sans plaque, personne ne peut vous joindre.',
      ],
    },
    use: {
      title: 'Utilisation des renseignements',
      blocks: [
        'Ils nous servent à livrer les messages et les réponses, à vous connecter et à protéger votre compte, à vous envoyer courriels et notifications, à régler les litiges sur les plaques, à freiner les abus, à vous répondre et à respecter la loi. Nous ne nous en servons ni pour la publicité ni pour établir le profil de qui que ce soit, et nous n’entraînons aucun système avec ce que les gens écrivent.',
        'En vous inscrivant, en envoyant un message ou en remplissant un formulaire, vous consentez à ces utilisations. Vous pouvez retirer ce consentement (section 5).',
        '**Courriels.** Nous n’envoyons aucune publicité. Vous pouvez mettre fin en tout temps aux courriels sur les nouveaux messages, grâce à un lien dans chacun d’eux. Les courriels sur votre compte, vos véhicules et les réponses reçues font partie du service et continuent.',
        '**Le texte dans les courriels.** Un courriel au sujet d’un message ou d’une réponse en contient le texte, parce qu’une personne qui est bloquée, ou qui voit un danger, a besoin que vous le lisiez immédiatement. Vous pouvez en décider autrement dans votre {notificationChoices|profil}. Une photo ou une fiche de renseignements ne figure jamais dans un courriel; il indique seulement qu’il y en a une.',
        '**Décision sans intervention humaine.** Si un litige est ouvert et que l’échéance passe avant que nous ayons consigné des documents de la personne qui a enregistré la plaque en second, cet enregistrement est refusé automatiquement. Écrivez à {support} pour savoir comment la décision a été prise, présenter vos observations ou la faire réviser par une personne.',
      ],
    },
    sharing: {
      title: 'Communication des renseignements',
      blocks: [
        [
          '**Le propriétaire d’un véhicule** voit la plaque, le message, son motif, sa photo et son heure, et en reçoit aussi le texte par courriel, mais jamais votre nom, votre adresse courriel, vos véhicules, ni si deux messages viennent de la même personne.',
          '**L’expéditeur d’un message** apprend que la plaque peut être jointe, et dans quelle province s’il y en a plusieurs, si notre avis au propriétaire a été remis, si quelqu’un est en route ou si personne n’a encore répondu, et la réponse, s’il y en a une, mais jamais qui vous êtes, ni combien de personnes compte le véhicule.',
          '**Les personnes qui conduisent un véhicule** lisent les messages qui arrivent après qu’elles s’y sont jointes et peuvent y répondre, mais ne voient aucune fiche de renseignements. Chacune voit le nom et l’adresse courriel des autres.',
          '**Une fiche de renseignements ou les coordonnées d’un témoin** vont au propriétaire du véhicule et disent qui vous êtes. Nous vous demandons d’abord de le confirmer.',
          '**Une photo** a une longue adresse aléatoire. Toute personne qui a cette adresse peut ouvrir la photo tant que le message existe.',
          '**Des entreprises qui travaillent pour nous** hébergent nos serveurs et acheminent nos courriels. Elles ne peuvent utiliser les renseignements que pour cela.',
          '**Les services de notification** des fabricants de navigateurs (comme Google, Apple, Mozilla et Microsoft) acheminent les notifications, seulement si vous les avez activées. Leur contenu est chiffré pour votre appareil.',
          '**Les tribunaux et les autorités** reçoivent ce que la loi nous oblige à donner, par exemple en vertu d’une ordonnance ou d’un mandat : cela peut comprendre le compte qui a envoyé un message. La loi nous permet aussi de communiquer le nécessaire quand la vie ou la sécurité de quelqu’un est menacée. Nous ne donnons rien de plus et nous en avisons les personnes visées, sauf si la loi l’interdit.',
          '**Un successeur,** si PlateNote change de mains, devra respecter cette politique et la loi.',
        ],
        'Nous ne vendons ni ne louons de renseignements personnels à personne. Si vous parlez de vous dans un message, la personne qui le lit le saura; nous ne pouvons pas revenir en arrière.',
      ],
    },
    rights: {
      title: 'Vos droits et vos choix',
      blocks: [
        [
          '**Accès et portabilité.** Un bouton de votre {ownData|profil} permet de télécharger ce qui est conservé avec votre compte, en un seul fichier d’un format courant (JSON). Ce fichier ne dit jamais qui vous a écrit.',
          '**Rectification.** Vous pouvez changer votre nom et votre adresse courriel dans votre profil. Écrivez à {privacyEmail} pour toute autre erreur.',
          '**Suppression.** Vous pouvez retirer un véhicule ou supprimer définitivement votre compte, immédiatement. Avec le compte disparaissent vos coordonnées, vos véhicules, vos notifications et vos sessions, ainsi que les messages reçus par vos véhicules. Chaque message, avec sa photo et sa réponse, demeure chez l’autre personne. Seul un code chiffré de votre boîte courriel y renvoie encore à vous, pour qu’un blocage ou un signalement reste valable; il disparaît avec le message.',
          '**Retrait du consentement.** Vous pouvez mettre fin aux courriels sur les messages, désactiver les notifications ou supprimer votre compte.',
          '**Québec.** Vous pouvez aussi nous demander de cesser de diffuser des renseignements qui vous concernent, ou de les désindexer, dans les cas prévus par la loi.',
        ],
        'Écrivez à {privacyEmail}. C’est gratuit, et vous aurez une réponse dans les 30 jours. Pour que personne d’autre n’obtienne vos renseignements, nous pouvons vous demander d’écrire depuis l’adresse de votre compte.',
        'Si notre réponse ne vous satisfait pas, vous pouvez porter plainte au {opc|Commissariat à la protection de la vie privée du Canada}; au Québec, à la {cai|Commission d’accès à l’information du Québec}; en Alberta ou en Colombie-Britannique, au commissaire de votre province.',
        { heading: 'Comment nous décidons', id: 'how-we-decide' },
        'Voici les règles que nous suivons à PlateNote quand des renseignements personnels sont en cause.',
        [
          '**Qui fait quoi.** La personne responsable (section 1) approuve ces règles, répond aux demandes et aux plaintes, tient le registre des incidents et vérifie ce que les administrateurs ont ouvert et pourquoi. Les administrateurs règlent les litiges sur les plaques, examinent les signalements et répondent au formulaire de contact. Personne d’autre à PlateNote ne voit vos renseignements.',
          '**Qui décide au sujet des personnes.** Un avertissement, une limite ou une suspension est décidé par une personne. Vous en lisez le motif et pouvez contester une fois, dans les 20 jours. Ce qui se décide sans intervention humaine figure à la section 3.',
          '**Combien de temps nous conservons.** Les délais figurent à la section 7. Ce qui a dépassé son délai est supprimé automatiquement.',
          '**Plaintes.** Écrivez à {privacyEmail}, en disant ce qui s’est passé et ce que vous souhaitez. La personne responsable examine la situation et vous répond par écrit dans les 30 jours, avec les motifs et ce que vous pouvez faire si vous n’êtes pas d’accord. C’est gratuit, et rien ne vous sera reproché.',
        ],
      ],
    },
    cookies: {
      title: 'Témoins et stockage du navigateur',
      blocks: [
        'PlateNote ne dépose aucun témoin (« cookie »). Il n’utilise aucun outil d’analyse, et ses pages ne chargent rien d’autres entreprises. Ce qu’il doit retenir est conservé dans votre navigateur :',
        [
          'votre session, jusqu’à ce que vous vous déconnectiez;',
          'l’adresse d’une inscription, avec un nombre aléatoire auquel nous reconnaissons ce navigateur, ou celle où vous avez fait envoyer un code, jusqu’à la confirmation;',
          'votre choix du thème clair ou sombre, la dernière province choisie, si les notifications sont activées dans ce navigateur, et que vous avez accepté les conditions;',
          'dans les pages des cartes de pare-brise, la langue choisie et un nombre aléatoire qui sert à limiter et à bloquer les messages répétés de ce navigateur;',
          'la langue que vous avez choisie en étant connecté, et le fait que nous vous avons proposé l’autre langue;',
          'pendant une heure, la plaque que vous voulez enregistrer et le code du mot que vous avez lu, jusqu’à leur utilisation ou à la déconnexion;',
          'ce que vous êtes en train d’écrire, dans cet onglet seulement, jusqu’à l’envoi, à la déconnexion ou à la fermeture de l’onglet;',
          'un court avis pour la page suivante, par exemple que votre compte a été supprimé;',
          'une fois le tableau de bord ouvert, des fichiers de programme et une page à afficher hors ligne, mais jamais de messages.',
        ],
        'Vous pouvez effacer tout cela dans votre navigateur. Votre session prendra alors fin.',
      ],
    },
    security: {
      title: 'Sécurité et conservation',
      blocks: [
        'Les connexions à PlateNote sont chiffrées. Les messages, les réponses, les photos, les motifs de nos décisions, de même que le nom, l’adresse et le message du formulaire de contact, sont aussi chiffrés là où ils sont conservés, chacun avec sa propre clé. PlateNote détient les clés : il en a besoin pour vous montrer vos messages. **Ne sont pas chiffrés de cette façon,** parce qu’il faut pouvoir les chercher, les trier ou les compter : les noms, les adresses courriel et les plaques; la marque, le modèle, l’année et la province d’un véhicule; le motif choisi pour un message et une réponse d’un seul toucher; qui a envoyé quoi à quel véhicule et quand; les notifications; l’adresse IP et le navigateur d’une session; et les adresses des services de notification. Des contrôles d’accès les protègent. Les écrans de nos administrateurs montrent des noms, des adresses courriel, des véhicules et des litiges, mais aucun message, à moins que quelqu’un ne l’ait signalé : pour l’ouvrir, il faut indiquer un but, et l’ouverture est consignée, comme le sont leurs décisions. Les courriels échappent à ce chiffrement : une fois qu’un courriel nous a quittés, avec le texte d’un message sauf si vous en avez décidé autrement, sa protection dépend de ceux qui l’acheminent et de votre fournisseur de courriel.',
        'Nous ne gardons les renseignements que le temps nécessaire :',
        [
          '**Compte, véhicules et ce que vous avez accepté :** jusqu’à ce que vous les supprimiez; une inscription non confirmée : 7 jours; la mention que vous avez enregistré une plaque que quelqu’un d’autre avait déjà : 90 jours.',
          '**Messages, réponses et photos :** 12 mois après l’envoi du message ou la réponse; chacun indique jusqu’à quand. Avant cette date, chez le propriétaire, jusqu’au retrait du véhicule; chez la personne qui a écrit, jusqu’à la suppression de son compte; sur nos serveurs, jusqu’à ce que ni l’un ni l’autre n’ait plus le message. Une photo jamais envoyée : environ une heure.',
          '**Un mot sur un pare-brise :** 72 heures si personne ne l’ouvre, sinon 7 jours après sa première ouverture. **Ce qu’une personne a laissé au moyen d’une carte de pare-brise** est un message comme les autres; la page qui le montre à cette personne : 30 jours.',
          '**Une ancienne adresse courriel, une deuxième étape que vous avez retirée :** 7 jours, pour que votre boîte puisse annuler le changement, et une adresse saisie mais non confirmée, 24 heures. Un code pour chaque boîte, à partir duquel aucune adresse ne peut être retrouvée, reste avec ce que nous savons de la personne, pour que personne n’échappe à une décision en changeant d’adresse.',
          '**Sessions :** jusqu’à ce que vous vous déconnectiez, ou 90 jours après leur dernière utilisation. L’adresse IP est remplacée 90 jours après la connexion par un code pour son réseau, qui ne permet pas de la retrouver.',
          '**Ce qui est arrivé à votre compte** (connexions, échecs, changements à votre deuxième étape) : 90 jours, avec le genre d’appareil et un code pour le réseau.',
          '**La mention qu’un courriel a été envoyé :** 30 jours.',
          '**Compteurs contre les abus :** un peu plus d’un mois.',
          '**Les messages du formulaire de contact et les courriels que vous nous envoyez :** 12 mois, dans notre boîte courriel. Sur nos serveurs, un message du formulaire n’est conservé que jusqu’à ce qu’il y soit arrivé, ou 30 jours s’il ne peut pas l’être.',
          '**Documents d’un litige :** nous ne les consultons que pour cette décision. Ceux que vous envoyez par le bouton sont chiffrés; seule la personne de l’équipe qui tranche peut les ouvrir, et chaque consultation est consignée. Ils sont supprimés dès que la décision est prise ou que le litige prend fin autrement, et au plus tard 30 jours après l’échéance. Ceux que vous envoyez par courriel sont supprimés de notre boîte dès que la décision est prise.',
          '**Une fiche de renseignements** (la vôtre, quand vous dites avoir heurté un véhicule) : 24 mois après l’envoi. Elle est conservée à part de vos messages, et seuls vous et le propriétaire du véhicule pouvez la lire.',
          '**Invitations à conduire un véhicule :** au plus 7 jours.',
          '**Un message signalé :** sa copie et les signalements, 24 mois, même quand le message et les comptes ont disparu.',
          '**Ce que nous avons décidé au sujet d’une personne** (avertissement, limite, suspension, avec le motif et la demande de révision) : 24 mois après la fin, sous un code pour la boîte courriel.',
          '**Le registre de nos décisions** (qui a décidé quoi, au sujet de quelle plaque ou de quel compte, quand et pourquoi) ne peut pas être modifié, afin que nous puissions en répondre, et est conservé 24 mois. D’un compte que nous avons supprimé, il montre la première lettre de l’adresse courriel, et son domaine seulement quand un très grand nombre de personnes y ont une adresse. La suppression d’un compte par la personne elle-même n’y est pas inscrite.',
          '**Les sauvegardes** peuvent contenir ce qui a été supprimé jusqu’à ce qu’elles soient remplacées à leur tour. Quand un tribunal ou une autorité nous demande de préserver des renseignements, nous mettons une sauvegarde de côté jusqu’à la fin de cette demande, puis nous la détruisons. La loi peut nous interdire d’en aviser la personne.',
        ],
        'Aucun système n’est parfaitement sûr. Si un incident vous expose à un risque de préjudice sérieux, nous vous avisons, ainsi que les autorités, comme la loi l’exige.',
      ],
    },
    children: {
      title: 'Enfants',
      blocks: [
        'PlateNote ne s’adresse pas aux enfants de moins de 13 ans, et nous ne recueillons pas sciemment de renseignements à leur sujet. Au Québec, le consentement d’une personne de moins de 14 ans est donné par le titulaire de l’autorité parentale ou par le tuteur : un jeune de 13 ans ne peut donc y utiliser PlateNote qu’avec ce consentement.',
        'Si vous croyez qu’un enfant nous a fourni des renseignements, écrivez à {privacyEmail}, et nous les supprimerons.',
      ],
    },
    'international-transfers': {
      title: 'Transferts à l’étranger',
      blocks: [
        'Les entreprises qui travaillent pour nous peuvent conserver ou traiter des renseignements hors de votre province ou hors du Canada, où d’autres lois s’appliquent et où les tribunaux et les autorités peuvent y avoir accès. Avant que des renseignements personnels quittent le Québec, nous évaluons, comme la loi l’y exige, s’ils seront bien protégés, et nous lions ces entreprises par contrat.',
        'Un courriel se rend là où votre fournisseur garde votre boîte. Une notification sur un appareil passe par le service du fabricant de votre navigateur, souvent aux États-Unis. Écrivez à {privacyEmail} pour savoir où vos renseignements se trouvent aujourd’hui.',
      ],
    },
    changes: {
      title: 'Modification de la politique',
      blocks: [
        'Quand nos pratiques changent, cette page change d’abord. La ligne sous son titre dit ce qui a changé et quand. Si nous souhaitons utiliser vos renseignements à une nouvelle fin, nous vous le demandons avant. Si un autre changement est important, PlateNote vous demande de l’accepter la prochaine fois que vous l’ouvrez.',
        'Des questions? Écrivez à {privacyEmail} ou utilisez {contact|notre formulaire}. Les {terms|Conditions d’utilisation} s’appliquent aussi quand vous utilisez PlateNote.',
      ],
    },
  },
} satisfies LegalText
