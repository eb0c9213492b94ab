package main

import (
	"context"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A rewording turns one of the SDK's messages about arguments that do not match a tool's schema into plain words.
type rewording struct {
	of   *regexp.Regexp
	says string
}

var rewordings = []rewording{
	{regexp.MustCompile(`(?s)^validating "arguments": validating root: validating /properties/(\w+): type: .* ` +
		`has type "(\w+)", want (?:one of )?"(?:null, )?(\w+)"$`), "$1 is of type $2, expected $3"},
	{regexp.MustCompile(`(?s)^validating "arguments": validating root: unexpected additional properties \[(.*)\]$`),
		"unknown argument $1"},
	{regexp.MustCompile(`(?s)^validating "arguments": validating root: required: missing properties: \[(.*)\]$`),
		"the argument $1 is missing"},
	{regexp.MustCompile(`(?s)^validating "arguments": unmarshaling arguments: .*$`), "arguments must be an object"},
}

// plainly rewords the errors for invalid arguments, so that an agent can correct its call.
func plainly(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		call, ok := result.(*mcp.CallToolResult)
		if err != nil || !ok || call == nil || !call.IsError { // an unknown tool has a nil result
			return result, err
		}
		for _, c := range call.Content {
			if text, ok := c.(*mcp.TextContent); ok && strings.HasPrefix(text.Text, `validating "arguments"`) {
				for _, r := range rewordings {
					text.Text = r.of.ReplaceAllString(text.Text, r.says)
				}
			}
		}
		return result, nil
	}
}
