// chunk: signed-in (the inbox of admins knows of them too, and others must not load the chunk of admins for them)

import * as z from 'zod/mini'
import { Collision, MessageCollision } from './collisions.ts'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
