// The page with switches, for the host of the server.

import { start } from './live.js';
import './switches.js';

start();
