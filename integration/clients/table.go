package main

// debianPython is the interpreter that sees Debian's packages, whatever other
// Python the machine has.
const debianPython = "/usr/bin/python3"

// phpPackages are async-aws, Symfony Messenger and all that they need.
var phpPackages = []string{
	"php-async-aws-core", "php-async-aws-sqs", "php-symfony-amazon-sqs-messenger", "php-symfony-messenger",
	"php-symfony-http-client", "php-symfony-http-client-contracts", "php-symfony-service-contracts", "php-symfony-deprecation-contracts",
	"php-symfony-clock", "php-psr-log", "php-psr-container", "php-psr-cache", "php-psr-clock",
}

// clients are all that are tried, those of one ecosystem together.
var clients = []client{
	{
		name: "awscli-query", protocol: "Query", full: true, apt: []string{"awscli"},
		run: []string{debianPython, "$scripts/python/roundtrip_awscli.py", "/usr/bin/aws"},
	},
	{
		name: "awscli-json", protocol: "JSON", full: true,
		probe: []string{"sh", "-c", "aws --version | grep -E '^aws-cli/1\\.[3-9][0-9]'"},
		run:   []string{"python3", "$scripts/python/roundtrip_awscli.py", "aws"},
	},
	{
		name: "awscli-2.17", protocol: "JSON", full: true, apt: []string{"awscli"},
		suites: []suite{{"bookworm-backports", []string{"awscli", "python3-awscrt"}}},
		run:    []string{debianPython, "$scripts/python/roundtrip_awscli.py", debianPython, "$home/root/usr/bin/aws"},
		env:    []string{"PYTHONPATH=$home/root/usr/lib/python3/dist-packages"},
	},
	{
		name: "boto3-query", protocol: "Query", full: true, apt: []string{"python3-boto3"},
		run: []string{debianPython, "$scripts/python/roundtrip_boto3.py"},
	},
	{
		name: "boto3-json", protocol: "JSON", full: true,
		probe: []string{"python3", "-c", "import boto3; assert boto3.__version__ > '1.40', boto3.__version__"},
		run:   []string{"python3", "$scripts/python/roundtrip_boto3.py"},
	},
	{
		name: "boto3-1.37", protocol: "JSON", full: true, apt: []string{"python3-boto3"},
		suites: []suite{{"trixie", []string{"python3-boto3", "python3-botocore", "python3-s3transfer"}}},
		run:    []string{debianPython, "$scripts/python/roundtrip_boto3.py"},
		env:    []string{"PYTHONPATH=$home/root/usr/lib/python3/dist-packages"},
	},
	{
		name: "boto2", protocol: "Query", full: true, apt: []string{"python3-boto"},
		run: []string{debianPython, "$scripts/python/roundtrip_boto2.py"},
	},
	{
		name: "celery-old", protocol: "Query", apt: []string{"python3-celery", "python3-kombu", "python3-pycurl", "python3-boto3"},
		run: []string{debianPython, "$scripts/python/roundtrip_celery.py"},
	},
	{
		name: "celery-5.5", protocol: "JSON", apt: []string{"python3-celery", "python3-kombu", "python3-pycurl", "python3-boto3"},
		suites: []suite{{"trixie", []string{"python3-boto3", "python3-botocore", "python3-s3transfer", "python3-celery", "python3-kombu", "python3-vine", "python3-amqp", "python3-billiard"}}},
		run:    []string{debianPython, "$scripts/python/roundtrip_celery.py"},
		env:    []string{"PYTHONPATH=$home/root/usr/lib/python3/dist-packages"},
	},
	{
		name: "celery-5.6", protocol: "JSON", apt: []string{"python3-celery", "python3-kombu", "python3-pycurl", "python3-boto3"},
		suites: []suite{
			{"trixie", []string{"python3-boto3", "python3-botocore", "python3-s3transfer", "python3-vine", "python3-amqp", "python3-billiard"}},
			{"sid", []string{"python3-celery", "python3-kombu", "python3-tzlocal"}},
		},
		run: []string{debianPython, "$scripts/python/roundtrip_celery.py"},
		env: []string{"PYTHONPATH=$home/root/usr/lib/python3/dist-packages"},
	},
	{
		name: "perl-sqs-simple", protocol: "Query", full: true, apt: []string{"libamazon-sqs-simple-perl"},
		run: []string{"/usr/bin/perl", "$scripts/perl/simple.pl"},
	},
	{
		name: "ruby-fog", protocol: "Query", full: true, apt: []string{"ruby-fog-aws"},
		run: []string{"/usr/bin/ruby", "$scripts/ruby/fog.rb"},
	},
	{
		name: "ruby-sdk-v1", protocol: "Query", full: true, apt: []string{"ruby-aws-sdk"},
		run: []string{"/usr/bin/ruby", "$scripts/ruby/sdk1.rb"},
	},
	{
		name: "php-async-aws-query", protocol: "Query", full: true, apt: []string{"php-cli", "php-curl", "php-async-aws-sqs", "php-symfony-http-client"},
		run: []string{"/usr/bin/php", "$scripts/php/async_aws.php"},
	},
	{
		name: "php-symfony-query", protocol: "Query", apt: []string{"php-cli", "php-curl", "php-symfony-amazon-sqs-messenger", "php-symfony-http-client"},
		run: []string{"/usr/bin/php", "$scripts/php/symfony.php"},
	},
	{
		name: "php-async-aws-json", protocol: "JSON", full: true, apt: []string{"php-cli", "php-curl"},
		suites: []suite{{"trixie", phpPackages}},
		env:    []string{"QUEUES_UNPACKED=$home/root/versions"},
		run:    []string{"/usr/bin/php", "-d", "include_path=$home/root/usr/share/php", "$scripts/php/async_aws.php"},
	},
	{
		name: "php-symfony-json", protocol: "JSON", apt: []string{"php-cli", "php-curl"},
		suites: []suite{{"trixie", phpPackages}},
		env:    []string{"QUEUES_UNPACKED=$home/root/versions"},
		run:    []string{"/usr/bin/php", "-d", "include_path=$home/root/usr/share/php", "$scripts/php/symfony.php"},
	},
	{
		name: "js-v3-json", protocol: "JSON", full: true,
		npm: []string{"@aws-sdk/client-sqs@3.1175.0"},
		run: []string{"node", "$home/js/v3.mjs"},
	},
	{
		name: "js-v3-query", protocol: "Query", full: true,
		npm: []string{"@aws-sdk/client-sqs@3.427.0"},
		run: []string{"node", "$home/js/v3.mjs"},
	},
	{
		name: "js-v2", protocol: "JSON", full: true,
		npm: []string{"aws-sdk@2.1693.0"},
		run: []string{"node", "$home/js/v2.mjs"},
	},
	{
		name: "sqs-consumer", protocol: "JSON",
		npm: []string{"sqs-consumer@14.2.8", "sqs-producer@8.0.4", "@aws-sdk/client-sqs@3.1175.0"},
		run: []string{"node", "$home/js/consumer.mjs"},
	},
	{
		name: "squiss-ts", protocol: "JSON",
		npm: []string{"squiss-ts@5.6.0"},
		run: []string{"node", "$home/js/squiss.mjs"},
	},
	{
		name: "nestjs-sqs", protocol: "JSON",
		npm: []string{"@ssut/nestjs-sqs@3.0.1", "@nestjs/common@11", "@nestjs/core@11", "@aws-sdk/client-sqs@3.1175.0", "reflect-metadata@0.2", "rxjs@7"},
		run: []string{"node", "$home/js/nest.mjs"},
	},
	{
		name: "serverless-offline-sqs", protocol: "JSON",
		npm: []string{"serverless-offline-sqs@8.0.0", "@serverless/utils@6"},
		run: []string{"node", "$home/js/offline.mjs"},
	},
	{
		name: "aws-lite", protocol: "JSON+Query",
		npm: []string{"@aws-lite/client@0.23", "@aws-lite/sqs@0.2.4"},
		run: []string{"node", "$home/js/lite.mjs"},
	},
	{
		name: "npm-sqs", protocol: "Query",
		npm: []string{"sqs@2.0.2"},
		run: []string{"node", "$home/js/sqs.mjs"},
	},
	{
		name: "go-v2-json", protocol: "JSON", full: true, module: "go-v2/go.mod",
		run: []string{"$home/client"},
	},
	{
		name: "go-v2-query", protocol: "Query", full: true, module: "go-v2/query.mod",
		run: []string{"$home/client"},
	},
	{
		name: "go-v1", protocol: "JSON", full: true, module: "go-v1/go.mod",
		run: []string{"$home/client"},
	},
	{
		name: "gocloud", protocol: "JSON", module: "gocloud/go.mod", test: true,
		run: []string{"$home/client", "-test.v", "-test.timeout=2m"},
	},
}
