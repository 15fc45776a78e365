// The page with switches, for this machine.

import { start } from './live.js';
import './switches.js';

start();
