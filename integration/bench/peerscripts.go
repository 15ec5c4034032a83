//go:build linux

package main

// What starts servers that have no command for the purpose, or one that listens
// on all interfaces or writes a line for each request. Each is given a port and,
// if it keeps data, a folder.
const (
	fauxqsVersion = "2.4.1"
	// fauxqs listens on all interfaces whatever it is told, so it is told lower
	// down.
	fauxqsScript = `import net from "node:net";
import { startFauxqs } from "fauxqs";

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (options, ...rest) {
  return listen.call(this, { ...options, host: "127.0.0.1" }, ...rest);
};
const [port, dataDir] = process.argv.slice(2);
await startFauxqs({ port: Number(port), logger: false, dataDir });
`
	localAWSSQSScript = `import { createSqsServer } from "local-aws-sqs";

await createSqsServer({ port: Number(process.argv[2]), hostname: "127.0.0.1" });
`
	sqsliteScript = `import sqslite from "sqslite";

await sqslite({ logger: false }).listen({ port: Number(process.argv[2]), host: "127.0.0.1" });
`
	goawsModule  = "github.com/Admiral-Piett/goaws"
	goawsVersion = "v0.4.5"
	goawsProgram = `package main

import (
	"log"
	"net/http"
	"os"
	"time"

	"github.com/Admiral-Piett/goaws/app/conf"
	"github.com/Admiral-Piett/goaws/app/gosqs"
	"github.com/Admiral-Piett/goaws/app/router"
	"github.com/sirupsen/logrus"
)

func main() {
	logrus.SetLevel(logrus.WarnLevel)
	conf.LoadYamlConfig(os.Args[2], "Local")
	go gosqs.PeriodicTasks(time.Second, make(chan struct{}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], router.New()))
}
`
	goawsConfig = `Local:
  Host: 127.0.0.1
  Port: "%s"
`
)
