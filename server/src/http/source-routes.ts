// Routes that list the kinds of the cluster, add a source and remove one.
import {addSourceSchema} from '@krtscope/shared/sources.ts';
import express, {type Router} from 'express';
import type {Sessions} from '../engine/link/session.ts';
import {HttpFailure} from './failure.ts';
import {sessionOf} from './request-session.ts';

export function addSourceRoutes(router: Router, sessions: Sessions): void {
  router.get('/kinds', async (req, res) => {
    res.json(await sessionOf(sessions, req).kinds());
  });
  router.post('/sources', express.json({limit: '16kb', type: () => true}), async (req, res) => {
    const parsed = addSourceSchema.safeParse(req.body);
    if (!parsed.success) {
      throw new HttpFailure(
        'bad-query',
        'the body names no resource',
        'send {"resource": "gateways.gateway.networking.k8s.io"}, or any form that kubectl takes',
      );
    }
    res.status(201).json(await sessionOf(sessions, req).addSource(parsed.data.resource));
  });
  router.delete('/sources/:name', async (req, res) => {
    await sessionOf(sessions, req).dropSource(req.params.name);
    res.status(204).end();
  });
}
