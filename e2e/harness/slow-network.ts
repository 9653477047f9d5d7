import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The faults of a slow network. */
export interface NetworkFaults {
  /** The rate towards the browser, shared by all connections. */
  kilobitsPerSecond: number;
  /** The milliseconds before the first byte of an answer. */
  delay: number;
  /** One of this many connections is cut, alternately after and before the server has acted. */
  cutEvery: number;
}

/** How a connection ends: with its answer, or cut before or after the server has acted. */
type Fate = 'passes' | 'never arrives' | 'answer is lost';

/**
 * A slow network between the browser and the program that loses connections. Each request has a connection of
 * its own, because a browser repeats a request by itself when an older connection breaks.
 */
export class SlowNetwork {
  /** The cut calls in their order, such as `POST /api/order/create: answer is lost`. */
  readonly cuts: string[] = [];
  /** The call whose next answer is lost, such as `POST /api/order/create`; empty for none. */
  losesAnswerOf = '';
  private connections = 0;
  /** When the line is free again, in milliseconds since 1970. */
  private freeAt = 0;
  private readonly server: Server;

  private constructor(
    private readonly target: number,
    private readonly faults: NetworkFaults,
  ) {
    this.server = createServer((incoming, outgoing) => {
      // It fails when the browser has gone or the program does not answer.
      this.pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** Puts a network before the program that listens on a port of this machine. */
  static async start(target: number, faults: NetworkFaults): Promise<SlowNetwork> {
    const network = new SlowNetwork(target, faults);
    await new Promise<void>((resolve) => network.server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  /** The address of a brand's site on this network. */
  origin(brand: string): string {
    return `http://${brand}.localhost:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Passes a request to the program and its answer back, or loses one of them. */
  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fate = this.nextFate(incoming);
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    await pause(this.faults.delay);
    if (fate === 'never arrives') {
      outgoing.destroy();
      return;
    }
    const answer = await this.forward(incoming, Buffer.concat(body));
    outgoing.on('close', () => answer.destroy());
    if (fate === 'answer is lost') {
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
    for await (const chunk of answer) {
      await this.transmit((chunk as Buffer).length);
      outgoing.write(chunk);
    }
    outgoing.end();
  }

  /** Decides how the connection of a request ends, and records a cut. */
  private nextFate({ method, url }: IncomingMessage): Fate {
    const call = `${method} ${url?.split('?')[0]}`;
    if (call === this.losesAnswerOf) {
      this.losesAnswerOf = '';
      return this.cut(call, 'answer is lost');
    }
    this.connections += 1;
    if (this.connections % this.faults.cutEvery !== 0) return 'passes';
    return this.cut(call, this.cuts.length % 2 === 0 ? 'answer is lost' : 'never arrives');
  }

  /** Records a cut and returns its fate. */
  private cut(call: string, fate: Fate): Fate {
    this.cuts.push(`${call}: ${fate}`);
    return fate;
  }

  /** Sends the request to the program; resolves to the answer once its head has arrived. */
  private forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.target, method, path: url, headers }, resolve);
      sent.on('error', reject).end(body);
    });
  }

  /** Waits until the shared line has transmitted the bytes. */
  private async transmit(bytes: number): Promise<void> {
    const takes = (bytes * 8) / this.faults.kilobitsPerSecond;
    this.freeAt = Math.max(this.freeAt, Date.now()) + takes;
    await pause(this.freeAt - Date.now());
  }
}
