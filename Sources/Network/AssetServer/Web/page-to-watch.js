// The page without switches, for all clients of the server.

import { start } from './live.js';

start();
