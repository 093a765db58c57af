// The statements of what people do all day, and the keys each is found by: the ids of one person, or what leads to one. So
// people could be divided among several databases. Statements of these files that are rare are below.

type Statements = Record<string, Record<string, string>>

/** Those that `npm run bench -- growth` measures. */
export const MEASURED: Statements = {
  'server/src/auth/session-queries.ts': {
    findIdentities: 'user_id',
    findSessionByToken: 'token_hash',
    lockSession: 'id',
    findTokenState: 'token_hash session_id',
    findNewestTokenHash: 'session_id',
    rotateRefreshToken: 'session_id',
    recordReceipt: 'id',
  },
  'server/src/messages/encrypt-for-send.ts': {
    findReachableVehicles: 'plate_key',
  },
  'server/src/messages/send-statement.ts': {
    sendBatch: 'sender_id plate',
  },
  'server/src/messages/queries.ts': {
    listReceived: 'user_id vehicle_id',
    findReceived: 'id user_id',
    listSent: 'sender_id',
    findSent: 'id sender_id',
    setMessageRead: 'id user_id',
    setReply: 'id user_id',
  },
  'server/src/messages/emails.ts': {
    findReceivedAmong: 'id user_id',
  },
  'server/src/notifications/queries.ts': {
    listNotifications: 'user_id',
    listNotificationsAfter: 'user_id',
    findNotificationStates: 'user_id',
    countUnread: 'user_id',
    setNotificationRead: 'id user_id',
    setAllNotificationsRead: 'user_id',
    markMessageNotification: 'message_id user_id',
  },
  'server/src/dashboard/queries.ts': {
    getDashboardCounts: 'user_id',
  },
  'server/src/vehicles/queries.ts': {
    listVehiclesOf: 'user_id',
    findDisputedVehicles: 'user_id',
  },
  'server/src/email/lease-mails.ts': {
    leaseMails: 'recipient_id',
  },
  'server/src/email/queries.ts': {
    markSent: 'id recipient_id',
  },
}

export const NOT_MEASURED: Statements = {
  'server/src/messages/queries.ts': {
    setDriverReplied: 'driver_id message_id',
    findOwnerPerson: 'id',
    insertGuestMessage: 'vehicle_id',
    setCollision: 'id',
  },
  'server/src/notifications/queries.ts': {
    lockNotificationCounter: 'user_id',
  },
  'server/src/limits/rate-limiter.ts': {
    consumeAll: 'key',
    giveBack: 'key',
    retryAfterSeconds: 'key',
    countUntilReset: 'key',
    resetLimit: 'key',
    remember: 'key',
    isRemembered: 'key',
    readCount: 'key',
  },
  'server/src/auth/session-queries.ts': {
    insertSession: 'id token_hash',
    endLongestUnusedSessions: 'user_id',
    listSessions: 'user_id',
    setSessionUsedNow: 'id',
  },
  'server/src/email/lease-mails.ts': {
    postponeMails: 'id recipient_id',
  },
  'server/src/email/queries.ts': {
    renewMailLeases: 'id recipient_id',
    markMailDeferred: 'id recipient_id',
    markFailed: 'id recipient_id',
    deleteMail: 'id',
  },
  'server/src/push/delivery-queries.ts': {
    leaseDevices: 'user_id',
    listWaitingUsers: 'user_id',
    listPendingNotifications: 'user_id',
    recordPushed: 'session_id',
    markDone: 'session_id',
    renewPushLeases: 'session_id',
    markPushesDeferred: 'session_id',
    postponePushes: 'session_id',
  },
}

/** An account that is deleted, a restore, a registration, a cleanup. */
export const RARE = [
  'rememberOnce',
  'deleteOrphans',
  'deleteOldMessages',
  'lockUserMessages',
  'anonymizeSender',
  'isSessionIdle',
  'findSessionAmr',
  'deleteSessions',
  'endAllSessions',
  'deleteEverySession',
  'listOwnVehicles',
  'insertVehicle',
  'setVehiclePaused',
  'deleteOwnVehicle',
  'isOwnVehicle',
  'setVehicleStatus',
  'setVehicleRejected',
  'lockVehicleMessages',
  'lockMessagesWithMails',
  'lockVehicle',
  'getOwnerId',
  'findRejectReason',
  'findVerifiedVehicle',
  'getOwnerLocale',
  'findVehiclesByPlate',
  'hasRegistered',
  'setChallengeSurvived',
  'countRegisteredVehicles',
  'lockOwner',
  'lockPlate',
  'lockPlates',
  'listVehicleIds',
  'deleteVehicles',
  'releaseLocksWithoutMails',
  'releaseLeases',
  'purgeFinishedMails',
  'settleWaitingMails',
  'deleteExpiredCounters',
]
